"""Who may ask, how much may be sent, and what happens when too many ask at once."""

import asyncio
import sys
import threading
from dataclasses import replace

import httpx
import pytest

from server.app import create_app
from server.guard import Guesses
from server.pool import Pool
from server.problems import ProblemError
from tests import PATIENCE_S
from tests.server.conftest import PICTURE, deck

API = "/api/v1"
TOKEN = "a-token-of-twenty-four-letters"


@pytest.fixture
def guarded(make_client, settings):
    deck().save(settings.home / "decks" / "demo.deck")
    return make_client(replace(settings, token=TOKEN))


def test_without_the_token_only_the_page_is_shown(guarded):
    assert guarded.get("/").status_code == 200
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": TOKEN},
        {"authorization": "Bearer ä"},
    ):
        answer = guarded.get(f"{API}/rules", headers={k: v.encode() for k, v in headers.items()})
        assert (answer.status_code, answer.json()["code"]) == (401, "no_token")
    guarded.headers["authorization"] = f"Bearer {TOKEN}"
    assert guarded.get(f"{API}/rules").status_code == 200
    assert guarded.get(f"{API}/health").json()["ok"] is True


def test_nobody_tries_one_token_after_another(make_client, settings):
    client = make_client(replace(settings, token=TOKEN, max_wrong_tokens=3))

    def tries(token: str, **headers: str) -> httpx.Response:
        return client.get(f"{API}/rules", headers={"authorization": f"Bearer {token}", **headers})

    # A phone that still has the token of yesterday asks with it again and again.
    assert {tries("yesterday").status_code for _ in range(10)} == {401}
    assert tries(TOKEN).status_code == 200
    assert [tries(f"guess-{number}").status_code for number in range(3)] == [401, 401, 429]
    refused = tries(TOKEN)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_guesses")
    assert 1 <= int(refused.headers["retry-after"]) <= 300
    # Who brings no token at all is told so, and the page is still there.
    assert client.get(f"{API}/rules").status_code == 401
    assert client.get("/").status_code == 200


def test_each_caller_has_guesses_of_its_own_and_is_forgotten():
    clock = [0.0]
    guesses = Guesses(2, 60, lambda: clock[0])
    for token in ("a", "b"):
        assert guesses.wait_s("10.0.0.7") == 0
        guesses.wrong("10.0.0.7", token)
    assert (guesses.wait_s("10.0.0.7"), guesses.wait_s("10.0.0.8")) == (60, 0)
    clock[0] = 59.5
    assert guesses.wait_s("10.0.0.7") == 1
    clock[0] = 60
    assert guesses.wait_s("10.0.0.7") == 0
    for number in range(10_000):
        guesses.wrong(f"caller-{number}", "x")
    assert len(guesses._callers) < 5000


def test_a_network_of_ipv6_is_one_caller():
    from server.guard import _caller

    callers = {_caller({"client": (f"2001:db8::{host:x}", 1)}) for host in range(50)}
    assert callers == {"2001:db8::/64"}
    assert _caller({"client": ("10.0.0.7", 1)}) == "10.0.0.7"
    assert _caller({"client": None}) == ""


def test_guests_neither_list_tables_nor_change_the_decks_of_the_machine(guarded):
    guarded.headers["authorization"] = f"Bearer {TOKEN}"
    assert guarded.get(f"{API}/tables").status_code == 403
    file = {"file": ("x.deck", deck("village").to_bytes())}
    assert guarded.post(f"{API}/decks/import", files=file).status_code == 403
    assert guarded.delete(f"{API}/decks/demo").status_code == 403
    table = guarded.post(f"{API}/tables", json={"name": "x", "rule": "sanjing"}).json()["id"]
    assert guarded.post(f"{API}/tables/{table}/decks/import", files=file).status_code == 201


def test_a_page_of_another_site_is_refused(client):
    asked = {"name": "x", "rule": "sanjing"}
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        answer = client.post(f"{API}/tables", json=asked, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site"), headers
    own = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
    assert client.post(f"{API}/tables", json=asked, headers=own).status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "testserver.evil.example", ""])
def test_a_name_that_was_made_to_point_here_is_refused(client, host):
    assert client.get(f"{API}/tables", headers={"host": host}).status_code == 403


def test_what_is_too_large_is_refused_whether_announced_or_not(make_client, settings):
    client = make_client(replace(settings, max_photo_bytes=100_000, max_json_bytes=10_000))
    files = {"photo": ("p.jpg", b"x" * 200_000)}
    announced = client.post(f"{API}/read", files=files)
    assert (announced.status_code, announced.json()["code"]) == (413, "too_large")

    def pieces():
        for _ in range(40):
            yield b"x" * 1000

    streamed = client.post(f"{API}/score", content=pieces(), headers={"content-type": "application/json"})
    assert (streamed.status_code, streamed.json()["code"]) == (413, "too_large")
    assert client.post(f"{API}/score", content=b"x" * 20_000).status_code == 413
    exact = client.post(f"{API}/read", files={"photo": ("p.jpg", b"x" * 105_000)})
    assert exact.status_code == 413


def ask(app, path: str, receive, headers: dict[str, str]) -> tuple[int, bytes]:
    """One request whose body comes as a test wants it to come."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"testserver"), *((k.encode(), v.encode()) for k, v in headers.items())],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "scheme": "http",
        "http_version": "1.1",
    }
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


@pytest.mark.parametrize(
    ("path", "kind", "begins"),
    [
        ("/score", "application/json", b'{"rule":'),
        (
            "/read",
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n\0',
        ),
    ],
)
@pytest.mark.parametrize("within_s", [0.0, 0.2])
def test_a_body_that_never_ends_is_not_waited_for(settings, reader, path, kind, begins, within_s):
    """The answer is the same whether the time is over before the first piece is taken or after it."""
    app = create_app(replace(settings, max_upload_s=within_s), lambda: reader)
    pieces = [begins]

    async def receive():
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": True}
        await asyncio.sleep(PATIENCE_S)
        return {"type": "http.disconnect"}

    status, body = ask(app, f"{API}{path}", receive, {"content-type": kind})
    assert (status, b"too_slow" in body) == (408, True)
    app.state.service.close()


def test_a_stream_of_200_megabytes_is_cut_off(settings, reader):
    app = create_app(settings, lambda: reader)
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
    taken = 0

    async def receive():
        nonlocal taken
        body = b"\0" * (1 << 20) if taken else head
        taken += len(body)
        return {"type": "http.request", "body": body, "more_body": taken < 200 << 20}

    status, body = ask(app, f"{API}/read", receive, {"content-type": "multipart/form-data; boundary=x"})
    assert (status, b"too_large" in body) == (413, True)
    assert taken <= 34 << 20
    app.state.service.close()


def test_what_is_held_in_memory_has_an_end_and_is_given_back(settings, reader):
    deck().save(settings.home / "decks" / "demo.deck")
    app = create_app(
        replace(settings, max_uploading_bytes=3 * len(PICTURE), reading_queue=16), lambda: reader
    )
    go = threading.Event()
    reader.wait = lambda: go.wait(PATIENCE_S)

    async def phones():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:

            def send():
                return client.post(f"{API}/read", files={"photo": ("p.jpg", PICTURE)})

            async def inside(count):
                return (await client.get(f"{API}/health")).json()["reading"] == count

            reading = [asyncio.create_task(send()) for _ in range(2)]
            await until(lambda: inside(2))
            refused = await send()
            small = await client.get(f"{API}/rules")
            go.set()
            first = [(await each).status_code for each in reading]
            return refused, small.status_code, first, (await send()).status_code

    try:
        refused, small, first, later = asyncio.run(phones())
    finally:
        go.set()
        app.state.service.close()
    assert (refused.status_code, refused.json()["code"]) == (503, "too_busy")
    assert int(refused.headers["retry-after"]) >= 1
    assert (small, first, later) == (200, [200, 200], 200)


def test_no_upload_touches_the_disk(client, monkeypatch):
    import tempfile

    def refuse(*_, **__):
        raise AssertionError("a file was made")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    large = PICTURE + b"\0" * 5_000_000
    assert client.post(f"{API}/read", files={"photo": ("p.jpg", large)}).status_code == 200


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"", 422),
        (b"\xff\xfe", 400),
        (b'{"rule": "\\ud800"}', 422),
        (b"[" * 9000, 400),
        (b'{"rule": "sanjing", "hand": "x", "stake": NaN}', 422),
        (b'{"rule": "sanjing", "hand": "x", "stake": Infinity}', 422),
        (b'{"rule": "sanjing", "hand": "x", "stake": 1e999}', 422),
        (b'{"rule": "sanjing", "hand": "x", "stake": -1}', 422),
        (b'{"rule": "sanjing", "hand": "x", "stake": 1' + b"0" * 5000 + b"}", 400),
        (b'{"rule": "sanjing", "hand": "x", "options": {"main_jing": NaN}}', 422),
        (b'{"rule": "sanjing", "hand": "x", "options": {"main_jing": [1]}}', 422),
        (b'{"rule": "sanjing", "hand": "\\u0000"}', 422),
        (b'"sanjing"', 422),
        (b"null", 422),
    ],
)
def test_a_body_that_is_no_json_is_a_problem(client, content, status):
    answer = client.post(f"{API}/score", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_body_that_is_very_deep_is_a_problem(client):
    """How deep JSON may be depends on the version of Python: it is refused as none, or as the wrong one."""
    content = b'{"rule":' * 9000 + b"1" + b"}" * 9000
    answer = client.post(f"{API}/score", content=content, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_form_that_is_none_is_a_problem(client):
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "text/plain", "image/jpeg"):
        answer = client.post(f"{API}/read", content=b"--x\r\nnonsense", headers={"content-type": kind})
        assert answer.status_code in (400, 422), (kind, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1e6", "null", '"1"'])
def test_a_reading_with_numbers_that_are_none_is_a_problem(client, number):
    card = (
        '{"card": "上", "outline": [[0,0],[1,0],[1,1],[0,1]], "mark": [0, NUMBER], "confidence": 0.9,'
        ' "sure": true, "others": [], "group": 0}'
    ).replace("NUMBER", number)
    body = f'{{"rule": "sanjing", "reading": {{"size": [9, 9], "kind": 110, "cards": [{card}]}}}}'
    headers = {"content-type": "application/json"}
    answer = client.post(f"{API}/reading/score", content=body.encode(), headers=headers)
    assert answer.status_code == 422 or number == '"1"', answer.text
    assert answer.status_code < 500


def test_no_id_or_name_reaches_beyond_its_folder(client, table):
    for name in (
        "..%2fdemo",
        "%2e%2e%2fdemo",
        "..\\demo",
        "demo%00",
        "~",
        "C:demo",
    ):
        for path in (f"{API}/decks/{name}", f"{API}/tables/{table}/decks/{name}"):
            for method in ("GET", "DELETE"):
                assert client.request(method, path).status_code in (404, 405, 422), (method, path)
    for table_id in ("..%2f..%2fetc", "%00" * 8, "a" * 65, "аааааааа"):
        assert client.get(f"{API}/tables/{table_id}").status_code in (404, 422), table_id
    for sha256 in ("..%2f" * 8, "0" * 63, "G" * 64, "%2e%2e"):
        assert client.get(f"{API}/tables/{table}/photos/{sha256}").status_code in (404, 422), sha256


def test_there_is_nothing_elsewhere(client):
    for path, status in (
        ("/nothing", 404),
        (f"{API}/nothing", 404),
        ("/../../etc/passwd", 404),
        ("/docs", 404),
    ):
        assert client.get(path).status_code == status
    assert client.post(f"{API}/rules").status_code == 405
    assert client.put("/").json()["code"] == "wrong_method"


def test_headers_keep_the_page_to_itself(client):
    for path in ("/", f"{API}/rules", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert client.get(f"{API}/rules").headers["cache-control"] == "no-store"


async def until(true):
    """Waits until something holds."""
    for _ in range(PATIENCE_S * 100):
        if await true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


def test_the_service_answers_while_photos_are_read_and_says_when_it_is_full(settings, reader):
    deck().save(settings.home / "decks" / "demo.deck")
    app = create_app(settings, lambda: reader)
    go = threading.Event()
    reader.wait = lambda: go.wait(PATIENCE_S)

    async def phones():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:

            def send():
                return asyncio.create_task(client.post(f"{API}/read", files={"photo": ("p.jpg", PICTURE)}))

            async def inside(count):
                return (await client.get(f"{API}/health")).json()["reading"] == count

            reading = [send()]
            await until(lambda: inside(1))
            reading.append(send())
            await until(lambda: inside(2))
            refused = await client.post(f"{API}/read", files={"photo": ("p.jpg", PICTURE)})
            assert (await client.get(f"{API}/health")).json()["reading"] == 2
            go.set()
            return refused, [await each for each in reading]

    try:
        refused, read = asyncio.run(phones())
    finally:
        go.set()
        app.state.service.close()
    assert (refused.status_code, refused.json()["code"]) == (503, "too_busy")
    assert int(refused.headers["retry-after"]) >= 1
    assert [answer.status_code for answer in read] == [200, 200]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_readers_stand_back_and_so_do_the_threads_that_they_start():
    import os
    from concurrent.futures import ThreadPoolExecutor

    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def both() -> list[int]:
        with ThreadPoolExecutor(1) as started:
            return [niceness(), started.submit(niceness).result()]

    pool = Pool("test", workers=1, queue=0, behind=5)
    mine = niceness()
    assert asyncio.run(pool.run(both)) == [max(5, mine)] * 2
    assert niceness() == mine
    pool.close()


def test_a_caller_that_goes_away_gives_its_place_back_when_the_work_is_over():
    pool = Pool("test", workers=1, queue=0)
    begun, go = threading.Event(), threading.Event()

    def work():
        begun.set()
        go.wait(PATIENCE_S)

    async def leave():
        task = asyncio.create_task(pool.run(work))

        async def running():
            return begun.is_set()

        await until(running)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert pool.inside == 1
        with pytest.raises(ProblemError):
            pool.admit()
        go.set()

        async def empty():
            return pool.inside == 0

        await until(empty)
        assert await pool.run(lambda: 7) == 7

    asyncio.run(leave())
    pool.close()


def test_work_that_the_end_of_the_service_is_not_put_off_for_is_answered():
    pool = Pool("test", workers=1, queue=0)
    begun, go = threading.Event(), threading.Event()

    def work():
        begun.set()
        go.wait(PATIENCE_S)

    async def end():
        task = asyncio.create_task(pool.run(work))

        async def running():
            return begun.is_set()

        await until(running)
        pool.stop()
        task.cancel()
        with pytest.raises(ProblemError) as told:
            await task
        assert told.value.code == "stopping"
        go.set()

    asyncio.run(end())
    pool.close()
