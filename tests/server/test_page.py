"""The page in a real browser, on a phone's screen; pictures of it go to `out/page`."""

import contextlib
import json
import shutil
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
import uvicorn

from server.app import create_app
from tests import PATIENCE_S
from tests.conftest import need
from tests.server.conftest import StandIn, deck, new_settings
from vision.types import Card, Doubt, Reading

pytestmark = pytest.mark.system

PICTURES = Path(__file__).resolve().parents[2] / "out" / "page"
COLUMNS = (
    ("上", "大", "人"),
    ("可", "知", "禮"),
    ("孔", "乙", "己"),
    ("化", "花三", "千"),
    ("三", "三", "花三"),
    ("五", "五", "五", "花五"),
    ("七", "七", "七"),
    ("八", "九"),
)
CROP = np.full((72, 48, 3), 180, np.uint8)
LAID = ("四", "四", "四")
"""A hand of 三精 that counts 40 drawn by oneself, with the 四 on the table 39."""

ASK = httpx.Client(timeout=PATIENCE_S, limits=httpx.Limits(max_keepalive_connections=0), trust_env=False)


def hand_reading(*, unsure: bool = False, doubt: bool = False) -> tuple[np.ndarray, Reading]:
    """A picture of strips in columns, and what a reader would make of it; 四 lie apart on the table."""
    picture = np.full((1200, 1600, 3), (52, 96, 60), np.uint8)
    cards = []

    def lay(name: str, x: int, y: int, group: int) -> None:
        cv2.rectangle(picture, (x, y), (x + 90, y + 400), (250, 250, 245), -1)
        cv2.rectangle(picture, (x, y), (x + 90, y + 400), (120, 120, 120), 2)
        cv2.circle(picture, (x + 45, y + 70), 30, (40, 40, 200), 6)
        outline = ((x, y), (x + 90, y), (x + 90, y + 400), (x, y + 400))
        doubted = unsure and name == "花五"
        others = (("五", 0.44),) if doubted else ()
        confidence = 0.55 if doubted else 1.0
        cards.append(Card(name, outline, (x + 45.0, y + 70.0), confidence, not doubted, others, group, CROP))

    for column, names in enumerate(COLUMNS):
        for place, name in enumerate(names):
            lay(name, 120 + 95 * column, 100 + 110 * place, 0)
    for place, name in enumerate(LAID):
        lay(name, 1250 + 95 * place, 500, 1)
    doubts = (Doubt((1100.0, 1050.0), "covered"),) if doubt else ()
    return picture, Reading((1600, 1200), "demo", tuple(cards), doubts, {}, 110)


class Site:
    """A service in this process that can be stopped and started on one port."""

    def __init__(self, home: Path, reader: StandIn) -> None:
        # Nobody else gets the port while the service is stopped.
        self.held = self._bound(0)
        self.port = self.held.getsockname()[1]
        self.url = f"http://localhost:{self.port}/"
        self.settings = new_settings(home).__class__(home=home, lang="zh-Hant")
        self.reader = reader
        self.server: uvicorn.Server | None = None

    @staticmethod
    def _bound(port: int) -> socket.socket:
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", port))
        return bound

    def start(self) -> None:
        app = create_app(self.settings, lambda: self.reader)
        listening = self._bound(self.port)
        listening.listen(128)
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()
        deadline = time.monotonic() + PATIENCE_S
        while not self.server.started:
            assert self.thread.is_alive()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def stop(self) -> None:
        if self.server is not None:
            self.server.should_exit = True
            self.thread.join(PATIENCE_S)
            assert not self.thread.is_alive()
            self.server = None


@pytest.fixture
def site(tmp_path):
    deck().save(tmp_path / "home" / "decks" / "demo.deck")
    site = Site(tmp_path / "home", StandIn())
    with contextlib.closing(site.held):
        site.start()
        yield site
        site.stop()


UNHURRIED = """
    // The page gives the service up after 20 seconds; a slow machine gets as long as the tests wait.
    const later = window.setTimeout;
    window.setTimeout = (work, after, ...more) => later(work, after >= 20000 ? 60 * after : after, ...more);
    // What it does every few seconds can be stopped.
    window.beats = [];
    const every = window.setInterval;
    window.setInterval = (...asked) => { const beat = every(...asked); beats.push(beat); return beat; };
    // What it said for a few seconds only, and where a finger came down.
    window.told = [];
    const watch = () => {
        const box = document.getElementById('notice');
        if (box && !box.hidden) told.push(box.textContent);
    };
    const changes = {attributes: true, characterData: true, childList: true, subtree: true};
    new MutationObserver(watch).observe(document, changes);
    window.hit = null;
    addEventListener('click', (event) => { window.hit = event.target; }, true);
"""
"""Runs in every page before its own scripts, so that no pause of the machine changes what a test sees."""

ASIDE = """const [done] = arguments;
    const asked = indexedDB.open('suanhu', 1);
    asked.onsuccess = () => {
        const base = asked.result;
        const kept = base.transaction('unfinished').objectStore('unfinished').count();
        kept.onsuccess = () => { base.close(); done(); };
    }"""
"""Waits until all is kept that the page has put aside: whoever reads gets a turn after who wrote before."""


class Phone:
    """What a person does with the page."""

    def __init__(self, url: str, lang: str = "zh-TW", size: tuple[int, int] = (390, 844)) -> None:
        need(
            "chromium",
            "chromedriver",
            package="chromium chromium-driver fonts-wqy-microhei",
            modules=("selenium",),
        )
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": lang})
        metrics = {"width": size[0], "height": size[1], "pixelRatio": 2, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = self._started(lambda: webdriver.Chrome(options, Service(shutil.which("chromedriver"))))
        self.driver.set_script_timeout(PATIENCE_S)
        self.driver.set_page_load_timeout(PATIENCE_S)
        self.before_every_page(UNHURRIED)
        self.driver.get(url)

    @staticmethod
    def _started(browser):
        """A browser gives itself a minute to start, and the port that it was given may be taken meanwhile."""
        from selenium.common.exceptions import WebDriverException

        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return browser()
            except WebDriverException:
                if time.monotonic() > deadline:
                    raise

    def before_every_page(self, script: str) -> None:
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def refresh(self) -> None:
        """Drops the page, as a browser does that is short of memory."""
        self.driver.execute_async_script(ASIDE)
        self.driver.refresh()

    def stop_beats(self) -> None:
        """What waits is sent every few seconds, and the ledger looked at; not from now on."""
        self.driver.execute_script("beats.forEach(clearInterval)")

    def close(self) -> None:
        self.driver.quit()

    def until(self, true):
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(Exception):
                found = true()
                if found:
                    return found
            assert time.monotonic() < deadline, self.text()
            time.sleep(0.05)

    def find(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def there(self, selector: str):
        return self.until(lambda: self.find(selector))[0]

    def tap(self, selector: str) -> None:
        def tapped() -> bool:
            element = self.find(selector)[0]
            script = "window.hit = null; arguments[0].scrollIntoView({block: 'center'})"
            self.driver.execute_script(script, element)
            # A button that is off while the hand is counted takes no tap.
            if not element.is_enabled():
                return False
            element.click()
            # Where the machine stands still before the finger lifts, the button may be another one by then.
            deadline = time.monotonic() + PATIENCE_S / 10
            while not self.driver.execute_script("return window.hit !== null"):
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.05)
            return True

        self.until(tapped)

    def tap_card(self, place: int) -> None:
        """Taps a print in the photo, as a finger would."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        script = """const card = document.querySelector(`g[data-id="${arguments[0]}"]`);
            card.scrollIntoView({block: 'center'});
            const box = card.querySelector('text').getBoundingClientRect();
            const edge = card.querySelector('polygon').getBoundingClientRect();
            return [(box.x + box.width / 2 + edge.x) / 2, box.y + box.height / 2];"""
        # While the hand is counted the photo may still move on the screen.
        self.until(lambda: not self.find(".busy, .counting"))
        x, y = self.driver.execute_script(script, place)
        builder = ActionBuilder(self.driver)
        builder.pointer_action.move_to_location(int(x), int(y)).click()
        builder.perform()

    def type(self, selector: str, text: str) -> None:
        def typed() -> bool:
            element = self.find(selector)[0]
            self.driver.execute_script("arguments[0].value = ''", element)
            element.send_keys(text)
            return element.get_property("value") == text

        self.until(typed)

    def choose_file(self, selector: str, path: object) -> None:
        # The element may be drawn anew between finding and using it.
        self.until(lambda: self.find(selector)[0].send_keys(str(path)) or True)

    def choose(self, selector: str, value: str) -> None:
        from selenium.webdriver.support.select import Select

        self.until(lambda: Select(self.there(selector)).select_by_value(value) or True)

    def text(self, selector: str = "body") -> str:
        return " ".join(element.text for element in self.find(selector))

    def says(self, selector: str, text: str) -> None:
        self.until(lambda: text in self.text(selector))

    def told(self, text: str) -> None:
        """Waits for a notice, which is shown for a few seconds only."""
        script = "return told.some((each) => each.includes(arguments[0]))"
        self.until(lambda: self.driver.execute_script(script, text))

    def picture(self, name: str) -> None:
        """Takes a picture of the whole page, not only of what is seen without scrolling."""
        import base64

        PICTURES.mkdir(parents=True, exist_ok=True)
        size = self.driver.execute_script(
            "return [innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]"
        )
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        if self.find("dialog[open]"):
            self.driver.save_screenshot(str(PICTURES / f"{name}.png"))
            return
        shot = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )
        (PICTURES / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def faults(self) -> list[str]:
        """What the browser complained about, and what does not fit into the screen."""
        # A refused connection is what being out of reach looks like.
        found = [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "net::ERR_" not in entry["message"]
        ]
        wide = self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{wide} pixels too wide")
        hosts = self.driver.execute_script(
            "return performance.getEntriesByType('resource').map((e) => new URL(e.name).host)"
        )
        own = self.driver.execute_script("return location.host")
        return found + [host for host in hosts if host not in (own, "")]

    def open_table(self, rule: str = "sanjing", stake: str = "10") -> str:
        self.choose("#rule", rule)
        self.type("#stake", stake)
        self.tap("#open")
        self.there("#photo")
        return json.loads(self.driver.execute_script("return localStorage.getItem('suanhu.current')"))


@pytest.fixture
def phone(site):
    phone = Phone(site.url)
    yield phone
    phone.close()


@pytest.fixture
def hand(tmp_path, site):
    """Gives a photo to choose, and lets the reader read it."""

    def make(**doubtful: bool) -> str:
        picture, site.reader.reading = hand_reading(**doubtful)
        path = tmp_path / "hand.jpg"
        cv2.imwrite(str(path), picture)
        return str(path)

    return make


def show_photo(phone: Phone, path: str) -> None:
    phone.choose_file("#photo", path)
    phone.there("#points")


def send_what_waits(phone: Phone) -> None:
    """Presses the button, unless it went by itself: that is tried every few seconds."""

    def sent() -> bool:
        for button in phone.find("#unsent button:last-child"):
            button.click()
        return not phone.find("#unsent")

    phone.until(sent)


def totals(phone: Phone) -> list[str]:
    return [element.text for element in phone.find("#totals b")]


def test_from_the_photo_to_the_ledger(phone, hand, site):
    table = phone.open_table()
    phone.picture("1-start")
    show_photo(phone, hand(unsure=True))
    phone.there("#question")
    phone.picture("2-question")
    phone.tap("#use-guess")
    phone.says("#said", "(四四四)")
    phone.tap('#question button[data-card="花五"]')
    phone.says("#points", "39")
    phone.choose("#discarder", "p2")
    phone.says("#pays", "南家 付 東家 100")
    phone.driver.execute_script("document.getElementById('why').open = true")
    phone.picture("3-result")
    phone.tap("#keep-photo")
    phone.tap("#write")
    phone.until(lambda: totals(phone) == ["+100", "−100", "0"])
    phone.picture("4-ledger")
    # What was unsure and was answered taught the table a deck of its own.
    decks = f"{site.url}api/v1/tables/{table}/decks"
    phone.until(lambda: any(each["own"] for each in ASK.get(decks).json()["decks"]))
    phone.tap(".line[data-number='1']")
    phone.says("#sheet", "主精")
    phone.tap("#sheet .row button")
    phone.there("#sheet img")
    phone.picture("5-kept-photo")
    assert phone.faults() == []


def test_cards_are_corrected_added_left_out_and_marked(phone, hand, site):
    phone.open_table()
    show_photo(phone, hand(doubt=True))
    phone.says("#said", "1 處")
    phone.tap(".doubt")
    phone.tap("#nothing")
    phone.says("#points", "40")
    phone.tap_card(0)
    phone.says("#sheet", "上")
    phone.picture("6-card")
    phone.tap('#sheet button[data-card="四"]')
    phone.says("#points", "沒有胡")
    phone.tap_card(0)
    phone.tap('#sheet button[data-card="上"]')
    phone.says("#points", "40")
    phone.tap_card(24)
    phone.tap("#remove")
    phone.says("#said", "26 張牌")
    phone.tap("#add")
    phone.tap('#sheet button[data-card="四"]')
    phone.tap("#sheet .close")
    phone.says("#said", "27 張牌")
    phone.says("#points", "40")
    phone.tap("#mark")
    # Two groups at once are no group.
    for place in range(6):
        phone.tap_card(place)
    phone.told("最多 5 張")
    for place in range(5):
        phone.tap_card(place)
    phone.tap_card(16)
    phone.tap_card(17)
    phone.tap_card(15)
    phone.tap_card(18)
    phone.picture("7-marking")
    phone.tap("#lay-round")
    phone.says("#said", "花五")
    phone.says("#said", "(五五")
    phone.tap_card(22)
    phone.tap("#is-win")
    phone.there("g.card.win")
    phone.tap("#waits")
    phone.says("#sheet", "九")
    # What is said while a sheet is open lies over it.
    script = """const [done] = arguments;
        import('/dom.js').then(({notice}) => {
            const later = window.setTimeout;
            window.setTimeout = () => 0;
            notice('x');
            window.setTimeout = later;
            const box = document.getElementById('notice').getBoundingClientRect();
            done([box.right - 20, box.y + box.height / 2].map((side) => side * devicePixelRatio));
        })"""
    x, y = phone.driver.execute_async_script(script)
    seen = cv2.imdecode(np.frombuffer(phone.driver.get_screenshot_as_png(), np.uint8), cv2.IMREAD_COLOR)
    assert seen[int(y), int(x)].tolist() == [0xB8, 0xE9, 0xFF]
    phone.picture("8-waits")
    phone.tap("#sheet .close")
    assert phone.faults() == []


def test_a_table_that_everybody_left_says_so(phone):
    phone.open_table("sanjing")
    phone.tap("#tab-table")
    for left in range(1, 4):
        phone.tap(".person button:last-child")
        phone.until(lambda left=left: phone.text(".person").count("不在") == left)
    phone.tap("#tab-count")
    phone.tap("#typing")
    phone.says("#result", "人不夠")
    assert not phone.find("#write")[0].is_enabled()
    assert phone.faults() == []


def test_a_deck_replaces_no_other_and_is_deleted_by_who_is_sure(phone, site, tmp_path):
    table = phone.open_table()
    decks = f"{site.url}api/v1/tables/{table}/decks"

    def own() -> dict[str, int]:
        return {each["name"]: each["kind"] for each in ASK.get(decks).json()["decks"] if each["own"]}

    phone.tap("#tab-table")
    for kind in (110, 96):
        path = tmp_path / f"{kind}.deck"
        path.write_bytes(deck("village", kind).to_bytes())
        phone.choose_file("#import-deck", path)
        phone.until(lambda: own() == {"village": 110})
        phone.says(".deck", "village · 110")
    # Its name is taken, and so is the next one that is said.
    for name in ("village", "town"):
        phone.says("#sheet h2", "已經有這個名字的牌")
        # It is asked anew, in a field of its own.
        phone.until(lambda: phone.driver.execute_script("return !document.getElementById('name').title"))
        phone.type("#name", name)
        phone.driver.execute_script("document.getElementById('name').title = 'answered'")
        phone.tap("#name-ok")
    phone.until(lambda: own() == {"village": 110, "town": 96})
    phone.until(lambda: not phone.find("dialog[open]"))
    phone.says(".deck", "town · 96")
    script = "window.asked = []; window.confirm = (text) => { asked.push(text); return asked.length > 1; }"
    phone.driver.execute_script(script)
    for times in (1, 2):
        phone.tap(".deck ~ button.bad")
        phone.until(lambda times=times: phone.driver.execute_script("return asked.length") == times)
        phone.until(lambda times=times: len(own()) == 3 - times)
    assert "town" in phone.driver.execute_script("return asked[1]")
    assert own() == {"village": 110}


def test_a_hand_without_a_photo(phone):
    phone.open_table("sanjing")
    phone.tap("#typing")
    phone.tap("#add")
    for card in [name for names in (*COLUMNS, LAID) for name in names]:
        phone.tap(f'#sheet button[data-card="{card}"]')
    phone.tap("#sheet .close")
    phone.says("#points", "40")
    phone.picture("9-typed")
    phone.tap("#write")
    phone.until(lambda: totals(phone)[0] == "+100")
    assert phone.faults() == []


def test_the_close_of_one_sheet_leaves_the_next_one_open(phone):
    from selenium.webdriver.common.keys import Keys

    phone.open_table()
    phone.tap("#typing")
    phone.tap("#add")
    phone.tap('#sheet button[data-card="上"]')
    # On a slow phone the browser tells that the first sheet closed when the second is open already.
    script = """const [done] = arguments;
        const sheet = document.getElementById('sheet');
        sheet.addEventListener('close', () => setTimeout(() => done(sheet.open)), {once: true});
        document.querySelector('#sheet .close').click();
        document.getElementById('add').click();"""
    assert phone.driver.execute_async_script(script)
    phone.says("#said", "1 張牌")
    phone.tap('#sheet button[data-card="大"]')
    phone.tap("#sheet .close")
    phone.says("#said", "2 張牌")
    # The key "back" of a phone closes a sheet too.
    phone.tap("#add")
    phone.tap('#sheet button[data-card="人"]')
    phone.there("#sheet").send_keys(Keys.ESCAPE)
    phone.says("#said", "3 張牌")
    assert phone.faults() == []


HOLD = """const [part] = arguments;
    const ask = window.asks || (window.asks = fetch);
    window.held = [];
    window.fetch = async (path, more) => {
        if (!path.includes(part)) return ask(path, more);
        const answer = await ask(path, more);
        await new Promise((go) => held.push(go));
        return answer;
    }"""
"""Answers of the service to one path come, but only when `held` is told to let them go."""


def hold(phone: Phone, part: str) -> None:
    phone.driver.execute_script(HOLD, part)


def held(phone: Phone, many: int) -> None:
    phone.until(lambda: phone.driver.execute_script("return held.length") == many)


def test_an_answer_takes_no_button_away_under_the_finger(phone, hand):
    phone.open_table()
    show_photo(phone, hand())
    phone.says("#points", "40")
    hold(phone, "/reading/score")
    phone.choose("#winner", "p2")
    held(phone, 1)
    # The finger comes down, the answer comes, the finger lifts.
    script = """const [done] = arguments;
        const pressed = document.getElementById('waits');
        pressed.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
        held.pop()();
        setTimeout(() => { done(pressed.isConnected); pressed.click(); }, 300);"""
    assert phone.driver.execute_async_script(script)
    phone.says("#sheet", "聽什麼")
    phone.tap("#sheet .close")
    phone.says("#pays", "東家 付 南家 50")
    assert not phone.find(".counting")
    assert phone.faults() == []


def test_an_older_answer_does_not_cover_a_newer_one(phone, site):
    table = phone.open_table()
    phone.stop_beats()
    hold(phone, "/ledger")
    phone.tap("#tab-ledger")
    held(phone, 1)
    phone.tap("#tab-count")
    phone.there("#photo")
    rounds = f"{site.url}api/v1/tables/{table}/rounds"
    ASK.post(rounds, json={"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}}).raise_for_status()
    phone.tap("#tab-ledger")
    held(phone, 2)
    phone.driver.execute_script("held[1]()")
    phone.until(lambda: totals(phone) == ["+5", "−5", "0"])
    script = "const [done] = arguments; held[0](); setTimeout(done, 500)"
    phone.driver.execute_async_script(script)
    assert totals(phone) == ["+5", "−5", "0"]


def test_a_hand_that_is_being_written_is_written_once(phone, hand, site):
    table = phone.open_table()
    show_photo(phone, hand())
    phone.says("#points", "40")
    hold(phone, "/photos")
    phone.tap("#keep-photo")
    phone.tap("#write")
    phone.says("main", "正在記帳")
    phone.tap("#tab-ledger")
    phone.there("#totals")
    phone.tap("#tab-count")
    phone.says("main", "正在記帳")
    assert not phone.find("#write")
    held(phone, 1)
    phone.driver.execute_script("held[0]()")
    phone.until(lambda: totals(phone)[:1] == ["+100"])
    assert len(ASK.get(f"{site.url}api/v1/tables/{table}/ledger").json()["lines"]) == 1
    phone.tap("#tab-count")
    phone.there("#photo")
    assert phone.faults() == []


def test_a_round_that_is_written_while_another_is_sent_is_sent_too(phone):
    phone.open_table()
    phone.tap("#tab-ledger")
    phone.there("#totals")
    hold(phone, "/rounds")
    phone.stop_beats()
    box = "return Object.keys(localStorage).filter((name) => name.startsWith('suanhu.outbox.')).length"
    for number, amount in enumerate(("30", "40")):
        phone.tap("#by-hand")
        phone.type('input[data-player="p1"]', amount)
        phone.type('input[data-player="p2"]', f"-{amount}")
        phone.tap("#save")
        phone.until(lambda number=number: phone.driver.execute_script(box) == number + 1)
        held(phone, 1)
    phone.driver.execute_script("held[0]()")
    held(phone, 2)
    phone.driver.execute_script("held[1]()")
    phone.told("記好了")
    phone.until(lambda: totals(phone) == ["+70", "−70", "0"])
    assert "(" not in phone.text("#tabs")


def test_a_hand_outlives_the_page(phone, hand, site):
    table = phone.open_table()
    show_photo(phone, hand())
    phone.says("#points", "40")
    phone.tap_card(0)
    phone.tap('#sheet button[data-card="四"]')
    phone.says("#points", "沒有胡")
    phone.tap("#use-guess")
    phone.says("#said", "(四四四)")
    # A browser that is short of memory drops the page while the camera is open.
    phone.refresh()
    phone.says("#points", "沒有胡")
    phone.says("#said", "(四四四)")
    phone.until(lambda: phone.find(".photo image"))
    phone.tap_card(0)
    phone.tap('#sheet button[data-card="上"]')
    phone.says("#points", "39")
    box = "return Object.keys(localStorage).filter((name) => name.startsWith('suanhu.outbox.'))"
    phone.tap("#keep-photo")
    phone.tap("#write")
    phone.until(lambda: totals(phone)[:1] == ["+100"])
    assert phone.driver.execute_script(box) == []
    phone.driver.refresh()
    phone.there("#photo")
    line = ASK.get(f"{site.url}api/v1/tables/{table}/rounds/1").json()
    assert line["versions"][-1]["entry"]["photo"]
    assert phone.faults() == []


def test_a_hand_comes_back_from_a_browser_that_finds_it_late(phone, hand):
    phone.open_table()
    show_photo(phone, hand())
    phone.says("#points", "40")
    # It is not waited for at all.
    phone.before_every_page(
        "const soon = setTimeout; window.setTimeout = (work, after, ...more) =>"
        " soon(work, after === 3000 ? 0 : after, ...more)"
    )
    phone.refresh()
    phone.says("#points", "40")
    assert len(phone.find(".photo image")) == 1
    assert phone.faults() == []


def test_a_hand_in_two_photos_is_one_hand(phone, hand, site, tmp_path):
    phone.open_table()
    _, whole = hand_reading()
    first = tuple(card for card in whole.cards if card.group == 0)
    second = tuple(replace(card, group=0) for card in whole.cards if card.group == 1)
    path = hand()
    parts = iter((replace(whole, cards=first), replace(whole, cards=second)))
    site.reader.wait = lambda: setattr(site.reader, "reading", next(parts))
    show_photo(phone, path)
    phone.says("#said", "24 張牌")
    phone.says("#points", "沒有胡")
    phone.choose_file("#more-photos", path)
    phone.says("#said", "27 張牌")
    phone.says("#points", "40")
    assert len(phone.find(".photo image")) == 2
    phone.tap_card(24)
    phone.says("#sheet", "這張是什麼？ 四")
    phone.tap("#sheet .close")
    phone.picture("15-two-photos")
    phone.tap("#keep-photo")
    phone.tap("#write")
    phone.tap(".line[data-number='1']")
    phone.tap("#sheet .row button")
    size = "const i = document.querySelector('#sheet img'); return [i.naturalWidth, i.naturalHeight]"
    phone.until(lambda: phone.driver.execute_script(size) == [1600, 2424])
    assert phone.faults() == []


def test_a_round_finds_room_in_a_full_storage_and_rounds_are_sent_in_order(phone, site):
    table = phone.open_table()
    phone.tap("#tab-ledger")
    phone.there("#totals")
    site.stop()
    fill = """localStorage.setItem('suanhu.ledger.old', 'x'.repeat(4000000));
        for (let size = 1000000; size > 10; size = Math.floor(size / 2)) {
            try { localStorage.setItem('suanhu.full' + size, 'x'.repeat(size)); } catch { /* Full. */ }
        }"""
    phone.driver.execute_script(fill)
    for amount in ("30", "40"):
        phone.tap("#by-hand")
        phone.type('input[data-player="p1"]', amount)
        phone.type('input[data-player="p2"]', f"-{amount}")
        phone.tap("#save")
        phone.says("#tabs", "(1)" if amount == "30" else "(2)")
    site.start()
    send_what_waits(phone)
    phone.until(lambda: totals(phone) == ["+70", "−70", "0"])
    lines = ASK.get(f"{site.url}api/v1/tables/{table}/ledger").json()["lines"]
    assert [line["entry"]["amounts"]["p1"] for line in lines] == [30, 40]


def test_another_phone_joins_the_table_by_a_link(phone, site):
    phone.open_table()
    phone.tap("#tab-table")
    phone.tap("#invite")
    phone.until(
        lambda: phone.driver.execute_script("return document.querySelector('#code').naturalWidth") > 100
    )
    phone.picture("19-invite")
    link = next(word for word in phone.text("#sheet").split() if word.startswith("http"))
    other = Phone(link)
    try:
        other.says("h1", "老友桌")
        other.tap("#tab-ledger")
        other.there("#totals")
        assert "#" not in other.driver.current_url
    finally:
        other.close()
    assert phone.faults() == []


def test_a_photo_that_could_not_be_sent_is_not_lost(phone, hand, site):
    phone.open_table()
    path = hand()
    site.stop()
    phone.choose_file("#photo", path)
    phone.there("#read-again")
    # Neither on another screen nor when the page is dropped.
    phone.tap("#tab-ledger")
    phone.there("#totals")
    phone.tap("#tab-count")
    phone.there("#read-again")
    phone.refresh()
    phone.says("main", "還沒認完")
    site.start()
    phone.tap("#read-again")
    phone.says("#points", "40")


def test_the_slip_of_a_hand_and_of_a_line(phone, hand, site):
    phone.open_table()
    show_photo(phone, hand())
    script = "window.kept = []; HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }"
    phone.driver.execute_script(script)
    height = "const i = document.querySelector('#slip-picture'); return i && i.complete ? i.naturalHeight : 0"

    def shown() -> int:
        return phone.until(lambda: phone.driver.execute_script(height))

    phone.tap("#slip")
    plain = shown()
    phone.tap("#slip-photo")
    phone.until(lambda: phone.driver.execute_script(height) > plain + 300)
    phone.picture("16-slip")
    phone.tap("#slip-save")
    phone.tap("#slip-pdf")
    phone.until(lambda: len(phone.driver.execute_script("return kept")) == 2)
    names = phone.driver.execute_script("return kept")
    assert [name.rpartition(".")[2] for name in names] == ["png", "pdf"]
    phone.tap("#sheet .close")
    phone.tap("#write")
    phone.tap(".line[data-number='1']")
    phone.tap("#line-slip")
    assert shown() > 1000
    # The photo was not kept, so there is none to be put on it.
    assert phone.find("#slip-photo") == []
    phone.tap("#sheet .close")
    assert phone.faults() == []


def test_a_hand_in_the_ledger_is_corrected_card_by_card(phone, hand, site):
    table = phone.open_table()
    show_photo(phone, hand())
    phone.tap("#use-guess")
    phone.says("#points", "39")
    phone.choose("#winner", "p2")
    phone.choose("#discarder", "p3")
    phone.tap("#write")
    phone.until(lambda: totals(phone) == ["0", "+100", "−100"])
    rounds = f"{site.url}api/v1/tables/{table}"
    ASK.patch(rounds, json={"stake": 1}).raise_for_status()
    phone.tap(".line[data-number='1']")
    phone.tap("#correct-hand")
    phone.says("#points", "39")
    phone.says("#said", "(四四四)")
    phone.says("main", "在改第 1 筆")
    phone.says("#pays", "西家 付 南家 100")
    phone.tap(".chip:nth-child(24)")
    phone.says("#sheet", "九")
    phone.tap('#sheet button[data-card="上"]')
    phone.says("#points", "沒有胡")
    phone.tap(".chip:nth-child(24)")
    phone.tap('#sheet button[data-card="九"]')
    phone.choose("#discarder", "")
    phone.says("#pays", "東家 付 南家 50")
    phone.picture("17-correct")
    phone.tap("#write")
    phone.until(lambda: totals(phone) == ["−50", "+100", "−50"])
    line = ASK.get(f"{rounds}/rounds/1").json()
    # It is still counted at the stake of then, and what it said before is there.
    assert [version["entry"]["stake"] for version in line["versions"]] == [10, 10]
    assert line["versions"][0]["entry"]["discarder"] == "p3"
    assert phone.faults() == []


def test_undo_does_not_take_back_what_another_phone_just_wrote(phone, site):
    table = phone.open_table()
    phone.tap("#tab-ledger")
    phone.tap("#by-hand")
    phone.type('input[data-player="p1"]', "30")
    phone.type('input[data-player="p2"]', "-30")
    phone.tap("#save")
    phone.until(lambda: totals(phone) == ["+30", "−30", "0"])
    # This phone has not looked since.
    script = """window.asks = fetch;
        window.fetch = (path, more) => more.method === 'GET' ? new Promise(() => {}) : asks(path, more)"""
    phone.driver.execute_script(script)
    rounds = f"{site.url}api/v1/tables/{table}/rounds"
    ASK.post(rounds, json={"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}}).raise_for_status()
    phone.tap("#undo")
    phone.told("剛被別人改過")
    assert len(ASK.get(f"{site.url}api/v1/tables/{table}/ledger").json()["lines"]) == 2
    assert ASK.get(f"{site.url}api/v1/tables/{table}").json()["totals"]["p1"] == 35


def test_names_from_right_to_left_leave_the_sums_alone(phone, site):
    phone.there("#open")
    phone.type(".player", "محمد")
    phone.open_table()
    phone.tap("#tab-ledger")
    phone.tap("#by-hand")
    phone.type('input[data-player="p1"]', "30")
    phone.type('input[data-player="p2"]', "-30")
    phone.tap("#save")
    phone.until(lambda: totals(phone) == ["+30", "−30", "0"])
    phone.tap("#settle")
    phone.says("#transfers", "30")
    # The name comes before the sum on the screen, as it does in the sentence.
    script = """const [item] = document.querySelectorAll('#transfers li');
        const range = document.createRange();
        const text = item.firstChild;
        range.setStart(text, text.data.indexOf('محمد'));
        range.setEnd(text, text.data.indexOf('محمد') + 4);
        return [range.getBoundingClientRect().right, item.querySelector('b').getBoundingClientRect().left]"""
    name, amount = phone.driver.execute_script(script)
    assert name <= amount
    phone.picture("18-right-to-left")


def test_long_names_and_large_sums_fit_a_narrow_phone(site, hand):
    names = ["W" * 24, "\U0001f468\u200d\U0001f469\u200d\U0001f467 محمد بن سلمان", "龍" * 24]
    asked = {"name": "桌" * 24, "rule": "sanjing", "stake": 1_000_000, "players": names}
    table = ASK.post(f"{site.url}api/v1/tables", json=asked).json()["id"]
    phone = Phone(f"{site.url}#table={table}", size=(360, 740))
    try:
        show_photo(phone, hand())
        phone.says("#points", "40")
        assert phone.faults() == []
        phone.tap("#write")
        phone.until(lambda: totals(phone)[0] == "+10000000")
        # No sum is broken into two lines.
        script = """return [...document.querySelectorAll('#totals b, .plus, .minus')]
            .map((sum) => sum.getClientRects().length)"""
        assert set(phone.driver.execute_script(script)) == {1}
        script = """return [...document.querySelectorAll('#totals b')]
            .map((sum) => sum.scrollWidth - sum.clientWidth)"""
        assert max(phone.driver.execute_script(script)) <= 0
        assert phone.faults() == []
        phone.picture("20-long-names")
        phone.tap("#tab-table")
        phone.there("#learn")
        assert phone.faults() == []
    finally:
        phone.close()


def test_the_ledger_by_hand(phone, site):
    table = phone.open_table()
    phone.tap("#tab-ledger")
    phone.tap("#by-hand")
    phone.type('input[data-player="p1"]', "30")
    phone.type('input[data-player="p2"]', "-10")
    phone.tap("#sum button")
    phone.picture("10-by-hand")
    phone.tap("#save")
    phone.until(lambda: totals(phone) == ["+30", "−10", "−20"])
    phone.tap("#drawn")
    phone.tap("#drawn-ok")
    phone.there(".line[data-number='2']")
    phone.tap(".line[data-number='1']")
    phone.tap("#correct")
    phone.type('input[data-player="p3"]', "-40")
    phone.type('input[data-player="p1"]', "50")
    phone.tap("#save")
    phone.until(lambda: totals(phone) == ["+50", "−10", "−40"])
    phone.tap("#undo")
    phone.until(lambda: totals(phone) == ["+30", "−10", "−20"])
    phone.driver.execute_script("window.print = () => {}")
    phone.tap("#print")
    script = "return document.querySelector('iframe').contentDocument.body.innerText"
    phone.until(lambda: "老友桌" in phone.driver.execute_script(script))
    # What another phone writes shows by itself.
    rounds = f"{site.url}api/v1/tables/{table}/rounds"
    ASK.post(rounds, json={"kind": "by_hand", "amounts": {"p1": 5, "p2": -5}}).raise_for_status()
    phone.until(lambda: totals(phone) == ["+35", "−15", "−20"])
    ASK.delete(f"{rounds}/3").raise_for_status()
    phone.until(lambda: totals(phone) == ["+30", "−10", "−20"])
    phone.tap("#settle")
    phone.says("#transfers", "20")
    phone.picture("11-settle")
    phone.tap("#settle-done")
    phone.until(lambda: totals(phone) == ["0", "0", "0"])
    assert phone.faults() == []


def test_what_could_not_be_sent_waits_and_is_sent_once(phone, site):
    table = phone.open_table()
    phone.tap("#tab-ledger")
    phone.there("#totals")
    phone.until(lambda: phone.driver.execute_script("return navigator.serviceWorker.controller !== null"))
    site.stop()
    phone.tap("#by-hand")
    phone.type('input[data-player="p1"]', "30")
    phone.type('input[data-player="p2"]', "-30")
    phone.tap("#save")
    phone.there("#unsent")
    phone.picture("12-unsent")
    # The page itself opens without the service, and still knows what waits.
    phone.driver.refresh()
    phone.says("#tabs", "(1)")
    box = """return Object.fromEntries(Object.entries(localStorage)
        .filter(([name]) => name.startsWith('suanhu.outbox.')))"""
    waiting = phone.driver.execute_script(box)
    site.start()
    phone.tap("#tab-ledger")
    send_what_waits(phone)
    phone.until(lambda: totals(phone) == ["+30", "−30", "0"])
    # As if the answer had been lost on the way: the same round waits again, and is not written twice.
    phone.driver.execute_script("Object.assign(localStorage, arguments[0])", waiting)
    phone.driver.refresh()
    phone.until(lambda: phone.driver.execute_script(box) == {})
    phone.tap("#tab-ledger")
    phone.until(lambda: totals(phone) == ["+30", "−30", "0"])
    (item,) = (json.loads(each) for each in waiting.values())
    assert item["tableId"] == table
    assert len(phone.find(".line")) == 1
    assert phone.faults() == []


@pytest.mark.parametrize(
    ("lang", "size", "words"),
    [
        ("zh-CN", (360, 640), ("记账", "开一桌")),
        ("en-GB", (390, 844), ("Ledger", "Open a table")),
        ("zh-TW", (820, 1180), ("記帳", "開一桌")),
    ],
)
def test_the_page_fits_every_screen_in_every_language(site, hand, lang, size, words):
    phone = Phone(site.url, lang, size)
    try:
        for word in words:
            phone.says("body", word)
        for rule in ("tongcheng", "shangdaren", "sanjing"):
            phone.choose("#rule", rule)
        phone.open_table()
        show_photo(phone, hand(unsure=True, doubt=True))
        assert phone.faults() == []
        phone.picture(f"13-{lang}-count")
        for tab in ("ledger", "table"):
            phone.tap(f"#tab-{tab}")
            phone.there("#totals" if tab == "ledger" else "#learn")
            assert phone.faults() == []
            phone.picture(f"13-{lang}-{tab}")
        before = phone.driver.execute_script("return document.documentElement.lang")
        phone.tap("#language")
        phone.until(lambda: phone.driver.execute_script("return document.documentElement.lang") != before)
    finally:
        phone.close()


def test_a_link_with_the_token_opens_the_page_and_is_not_kept_in_the_address(site, hand):
    site.stop()
    site.settings = replace(site.settings, token="a-token-of-twenty-four-letters")
    site.start()
    phone = Phone(site.url)
    try:
        phone.says("body", "二維碼")
        phone.driver.get(f"{site.url}#token=a-token-of-twenty-four-letters")
        phone.driver.refresh()
        phone.there("#open")
        assert "token" not in phone.driver.current_url
        phone.open_table()
        show_photo(phone, hand())
        phone.says("#points", "40")
    finally:
        phone.close()


def test_a_sample_photo_is_read_by_the_models_that_ship(site):
    from server.app import new_reader
    from vision.files import data_path

    site.reader = new_reader()
    site.stop()
    site.start()
    phone = Phone(site.url)
    try:
        sample = data_path("datasets/samples/hand.jpg")
        labels = json.loads(sample.with_suffix(".json").read_text("utf-8"))["cards"]
        phone.open_table("jingzhou")
        phone.choose_file("#photo", sample)
        phone.until(lambda: phone.find("#points"))
        read = [element.get_attribute("aria-label").split()[0] for element in phone.find("g.card")]
        assert len(read) >= 0.8 * len(labels)
        assert len(set(read) & {card["label"] for card in labels}) >= 8
        phone.picture("14-sample")
        assert phone.faults() == []
    finally:
        phone.close()
