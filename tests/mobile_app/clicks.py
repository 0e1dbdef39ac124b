"""From a first start to the ledger by real clicks, with the models that ship and a photo of a sample hand."""

# ruff: noqa: T201 - what is printed is read by the test
import json
import math
import sys

from tests.conftest import ROOT
from tests.mobile_app.mouse import play

SAMPLE = ROOT / "datasets" / "samples" / "hand.json"


def labelled(app):
    """Pair each labelled card of the sample with the key of the card that was read there, or None."""
    pairs, left = [], {card.key: card for card in app.model.draft.shown() if card.mark is not None}
    for card in json.loads(SAMPLE.read_text(encoding="utf-8"))["cards"]:
        (ax, ay), (bx, by), *_ = card["outline"]
        width = math.dist((ax, ay), (bx, by))
        middle = [sum(corner[axis] for corner in card["outline"]) / 4 for axis in (0, 1)]
        ends = (card["end"], [2 * middle[axis] - card["end"][axis] for axis in (0, 1)])
        near = min(left, key=lambda key: min(math.dist(left[key].mark, end) for end in ends), default=None)
        if near is not None and min(math.dist(left[near].mark, end) for end in ends) < 0.8 * width:
            pairs.append((card, near))
            del left[near]
        else:
            pairs.append((card, None))
    return pairs


def correct(mouse):
    """Do what a player does who sees the cards: mend, add, and answer every doubt."""
    app = mouse.app
    while app.model.draft.doubts:
        place, _ = app.model.draft.doubts[0]
        mouse.click_card(("doubt", place))
        mouse.click("correct.no_card")
    first = True
    for card, key in labelled(app):
        if key is None:
            mouse.click("review.add")
            mouse.click(f"key.{card['label']}")
            continue
        read = app.model.draft.card(key)
        if read.card == card["label"] and read.sure:
            continue
        mouse.click_card(key)
        if first:
            mouse.shot("correct")
            first = False
        likely = f"likely.{card['label']}"
        mouse.click(likely if mouse.has(likely) else f"key.{card['label']}")
        assert app.model.draft.card(key).card == card["label"]


def walk(mouse):
    """First start, rule, photo, corrections, table, winner, result, ledger."""
    app, model = mouse.app, mouse.app.model
    mouse.shots_down("first-start")
    mouse.click("rule.jingzhou")
    mouse.click("stake.10")
    mouse.shots_down("table")
    mouse.click("name.1")
    mouse.shots_down("names")
    surname = "陈" if model.lang == "zh-Hans" else "陳"
    mouse.click(f"surname.{surname}")
    mouse.shot("surname")
    mouse.click("call." + {"en": f"Old {surname}"}.get(model.lang, f"老{surname}"))
    mouse.click("table.done")
    mouse.shot("home")
    mouse.click("home.photo")
    mouse.shots_down("photo")
    mouse.click("photo.choose")
    mouse.idle(1.0)
    mouse.shot("files")
    mouse.click("file.hand.jpg")
    mouse.until(lambda: type(app.page).__name__ == "ReviewPage")
    mouse.shot("review")
    correct(mouse)
    pairs = labelled(app)
    mouse.shot("corrected")
    laid = {number: [key for card, key in pairs if card["group"] == number] for number in (0, 1)}
    before = model.draft
    mouse.click("review.out")
    mouse.frame(laid[0])
    assert set(laid[0]) <= model.draft.left_out
    mouse.shot("left-out")
    mouse.click("review.undo")
    assert model.draft == before
    from tests.mobile_app.look import drawn_beyond

    mouse.click("zoom")
    assert not drawn_beyond(app.page.view, mouse.shot("zoomed"))
    mouse.click("zoom")
    mouse.click("review.next")
    mouse.shot("laid")
    for key in laid[0]:
        mouse.click_card(key)
    mouse.click("laid.group")
    assert {group.keys for group in model.draft.laid} == {tuple(sorted(laid[0]))}
    mouse.click("laid.back.0")
    mouse.frame([*laid[0], *laid[1]])
    mouse.shot("laid-groups")
    assert {frozenset(group.keys) for group in model.draft.laid} == {
        frozenset(keys) for keys in laid.values()
    }
    mouse.click("laid.next")
    mouse.click_card(next(key for card, key in pairs if card["winning"]))
    mouse.shot("win")
    mouse.click("win.next")
    mouse.click("winner.1")
    mouse.click("from.2")
    mouse.shots_down("who")
    mouse.click("who.count")
    mouse.until(lambda: model.counted is not None)
    while model.count().settlement.questions:
        mouse.shot("asked")
        question = model.count().settlement.questions[0]
        truth = next(card["label"] for card, key in pairs if key == model.draft.key_of(question.index))
        mouse.click(f"answer.{truth}")
        mouse.until(lambda: model.counted is not None)
    mouse.shots_down("result")
    wanted = json.loads(SAMPLE.read_text(encoding="utf-8"))
    import scorer

    counted = scorer.score(
        scorer.load_book("jingzhou"),
        scorer.parse_hand(wanted["hand"]),
        win=wanted["winning"],
        by="discard",
        winner=1,
        discarder=2,
        stake=10,
    )
    assert model.count().score.points == counted.points
    mouse.click("result.argue")
    for digit in str(counted.points - 1):
        mouse.click(f"digit.{digit}")
    mouse.shot("claim")
    mouse.click("argue.compare")
    mouse.until(lambda: mouse.has("argue.back"))
    mouse.shots_down("argument")
    mouse.click("argue.back")
    mouse.click("result.share")
    mouse.click("result.confirm")
    mouse.shots_down("ledger")
    table = model.evening.table(model.settings)
    paid = sum(payment.pays for payment in counted.payments)
    assert sorted(table.totals().values()) == [-paid, 0, paid]
    mouse.click("ledger.settle")
    mouse.shot("settle")
    mouse.click("settle.done")
    assert set(model.evening.table(model.settings).totals().values()) == {0}
    mouse.click("back")
    mouse.shot("home-again")
    print("confirmed", counted.points, "points")


if __name__ == "__main__":
    LANG, WIDTH, HEIGHT, SHOTS = sys.argv[1:]
    play(walk, LANG, (int(WIDTH), int(HEIGHT)), SHOTS)
