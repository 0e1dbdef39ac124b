"""From a reading to who pays what."""

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

import scorer
from table.cards import Corrections
from table.round import ASK, DONE, NO_WIN, LaidGroup, Terms, play
from table.words import DeckMismatchError, LaidError
from tests.clock import work_of
from tests.table.factories import finished_hand, read_card, reading
from vision.types import Doubt, Reading

BOOK = scorer.load_book("jingzhou")
COLUMNS = ("上大人", "可知禮", "孔乙己", "八九子", "化三千", "花七十土", "三三花三", "四四四", "五花五")


def test_a_photo_of_a_finished_hand_says_who_pays():
    played = play(reading(*COLUMNS), BOOK, terms=Terms(stake=10))
    assert played.status == DONE
    assert (played.score.points, played.score.steps) == (22, 2)
    said = played.to_json()
    assert said["payments"] == [{"seat": 1, "pays": 20, "to": 0}, {"seat": 2, "pays": 20, "to": 0}]
    assert said["settled"] is True
    assert said["questions"] == []
    assert said["points_range"] == [22, 22]
    json.dumps(said)


def test_the_fields_of_read_and_score_stand_together():
    said = play(reading(*COLUMNS), BOOK).to_json()
    for name in ("size", "deck", "cards", "doubts", "ms", "rule", "wins", "reason", "groups", "hand"):
        assert name in said


def test_every_card_of_a_group_is_found_in_the_photo_once():
    played = play(reading(*COLUMNS), BOOK)
    said = played.to_json()
    for group in said["groups"]:
        assert [said["cards"][place]["card"] for place in group["indices"]] == group["cards"]
    places = [place for group in said["groups"] for place in group["indices"]]
    assert sorted(places) == list(range(26))


def test_a_group_is_shown_where_it_lies_and_not_with_copies_from_elsewhere():
    said = play(reading("上大人", *COLUMNS[:6], "六六六", "二二"), BOOK).to_json()
    for group in said["groups"]:
        assert len({said["cards"][place]["group"] for place in group["indices"]}) == 1


def test_a_hand_that_does_not_win_says_so():
    played = play(reading("上大人", "可知禮"), BOOK)
    assert played.status == NO_WIN
    assert played.to_json()["reason"] == "wrong_count"


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
def test_a_photo_without_cards_is_no_win_and_no_error(lang):
    played = play(reading(), BOOK, lang=lang)
    assert played.status == NO_WIN
    assert played.to_json()["cards"] == []
    assert len(played.text().splitlines()) == 1


def test_what_lay_on_the_table_counts_as_exposed():
    photo = reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("三三花三",))
    played = play(photo, BOOK, laid="(三三花三)")
    assert played.score.points == 22 - 12 + 8
    assert played.to_json()["laid"] == [{"indices": [0, 1, 2], "bracket": "round"}]


def test_laid_cards_are_those_that_lie_together():
    photo = reading("三四花三", "五六七", *COLUMNS[:6], "二二", laid=("三三花三",))
    assert play(photo, BOOK, laid="(三三花三)").laid == (LaidGroup((0, 1, 2)),)


def test_laid_groups_can_be_given_by_their_places():
    photo = reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("三三花三",))
    by_text = play(photo, BOOK, laid="(三三花三)")
    assert play(photo, BOOK, laid=[LaidGroup((0, 1, 2))]).to_json() == by_text.to_json()


@pytest.mark.parametrize(
    ("laid", "says"),
    [("(六六六)", "六 is not among"), ("三三三", "brackets"), ("(四四四四)", "only 3 of 4 四 can be found")],
)
def test_a_laid_card_that_was_not_read_is_refused(laid, says):
    with pytest.raises(LaidError, match=says):
        play(reading(*COLUMNS), BOOK, laid=laid)


def test_an_unsure_card_that_may_be_the_laid_one_is_named():
    photo = reading(*COLUMNS, unsure={0: [("六", 0.3)]})
    with pytest.raises(LaidError, match="--set 0=六"):
        play(photo, BOOK, laid="(六六六)")


def test_one_card_cannot_lie_in_two_groups():
    with pytest.raises(LaidError, match="two groups"):
        play(reading(*COLUMNS), BOOK, laid=[LaidGroup((0, 1, 2)), LaidGroup((2, 3, 4))])


@pytest.mark.parametrize("win", ["六", 99, "牌"])
def test_a_winning_card_that_is_not_there_is_refused(win):
    with pytest.raises(ValueError, match=r"."):
        play(reading(*COLUMNS), BOOK, win=win)


def test_a_laid_card_does_not_win():
    photo = reading(*COLUMNS[:-2], "五花五", laid=("四四四",))
    with pytest.raises(LaidError, match="四"):
        play(photo, BOOK, laid="(四四四)", win="四")


def test_a_discard_that_completes_a_triplet_exposes_it():
    played = play(reading(*COLUMNS), BOOK, win="四", terms=Terms(by="discard", discarder=2))
    assert played.score.points == 21
    assert played.to_json()["payments"] == [{"seat": 2, "pays": 2, "to": 0}]


def test_a_correction_changes_what_is_counted():
    photo = reading(*COLUMNS)
    played = play(photo, BOOK, corrections=Corrections.parse(["15=七"]))
    assert played.score.points == 21
    dropped = play(photo, BOOK, corrections=Corrections.parse((), ["25"], ["五"]))
    assert dropped.score.points == 21


def test_a_deck_of_another_kind_is_refused():
    with pytest.raises(DeckMismatchError, match="112"):
        play(reading(*COLUMNS), scorer.load_book("shuangbiegan"))


def test_an_unsure_card_that_changes_no_payment_is_not_asked():
    """A plain or a flower 九 with 八 and 子: 22 or 23 points are 2 steps both."""
    played = play(reading(*COLUMNS, unsure={10: [("花九", 0.4)]}), BOOK)
    assert played.settlement.settled
    assert played.status == DONE
    assert played.to_json()["points_range"] == [22, 23]
    assert played.to_json()["cards"][10]["sure"] is False


def test_a_flower_that_changes_the_steps_is_asked_first():
    photo = reading(*COLUMNS, unsure={15: [("七", 0.3)]})
    played = play(photo, BOOK, terms=Terms(stake=10))
    assert played.status == ASK
    said = played.to_json()
    assert said["settled"] is False
    assert said["points_range"] == [21, 22]
    (question,) = said["questions"]
    assert question["index"] == 15
    assert [(each["card"], each["points"], each["steps"]) for each in question["answers"]] == [
        ("花七", 22, 2),
        ("七", 21, 1),
    ]
    assert [each["payments"][0]["pays"] for each in question["answers"]] == [20, 10]
    for lang in ("zh-Hant", "zh-Hans", "en"):
        first = play(photo, BOOK, lang=lang).text().splitlines()[0]
        assert {"zh-Hant": "未定", "zh-Hans": "未定", "en": "Not settled"}[lang] in first


def test_the_answer_settles_the_round():
    photo = reading(*COLUMNS, unsure={15: [("七", 0.3)]})
    played = play(photo, BOOK, corrections=Corrections.parse(["15=七"]))
    assert played.status == DONE
    assert played.score.points == 21


def test_a_place_that_could_not_be_read_is_asked_for():
    played = play(reading(*COLUMNS[:-1], "五", doubts=1), BOOK)
    assert played.status == ASK
    (question,) = played.to_json()["questions"]
    assert question["index"] is None
    assert question["doubt"] == 0
    answers = {each["card"]: each for each in question["answers"]}
    assert (answers["花五"]["points"], answers["花五"]["steps"]) == (22, 2)
    assert (answers["五"]["points"], answers["五"]["steps"]) == (21, 1)
    assert answers[None]["wins"] is False


def test_a_deck_that_nobody_knows_settles_nothing():
    photo = reading(*COLUMNS, unsure={key: [("四", 0.2)] for key in range(26)}, deck=None)
    played = play(photo, BOOK)
    assert played.status == ASK
    assert [card.card for card in played.cards] == [card.card for card in photo.cards]


def test_a_copy_too_many_is_no_reading():
    """Five 可 are sure: the sixth card can be none."""
    photo = reading("可可可可可", "上大人", "知禮", unsure={8: [("可", 0.4)]})
    questions = play(photo, BOOK).settlement.questions
    assert all(answer.card != "可" for question in questions for answer in question.answers)


def test_an_answer_that_uses_up_the_copies_changes_the_other_card():
    photo = reading("可可可可知", "可大人", unsure={5: [("上", 0.4)]})
    played = play(photo, BOOK, corrections=Corrections.parse(["4=可"]))
    assert played.cards[5].card == "上"
    assert not played.cards[5].sure
    assert ("可", 0.6) in played.cards[5].others


def test_six_unsure_cards_are_weighed_exactly():
    photo = reading(
        *COLUMNS,
        unsure={
            13: [("花三", 0.2), ("四", 0.05)],
            15: [("七", 0.3), ("十", 0.1)],
            18: [("花三", 0.2), ("四", 0.1)],
            24: [("花五", 0.3), ("六", 0.1)],
            10: [("花九", 0.4), ("子", 0.1)],
            7: [("花乙", 0.3), ("己", 0.2)],
        },
    )
    weighed = []
    assert work_of(lambda: weighed.append(play(photo, BOOK, seconds=300))) < 1_000_000
    (played,) = weighed
    assert played.settlement.left_out < 0.001
    assert not played.settlement.settled


def laid_photo():
    return reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("三三花三",))


def test_what_lies_apart_is_proposed_and_not_counted():
    played = play(laid_photo(), BOOK)
    assert played.score.points == 22
    guess = played.to_json()["guess"]
    assert guess["laid"] == "(三三花三)"
    assert guess["points"] == 18
    assert "--laid '(三三花三)'" in played.text()


def test_a_guess_counts_once_it_is_taken():
    played = play(laid_photo(), BOOK, take_guess=True)
    assert played.score.points == 18
    assert played.to_json()["guess"] is None
    assert played.to_json()["laid"] == [{"indices": [0, 1, 2], "bracket": "round"}]


def test_nothing_is_proposed_where_the_players_said_what_lay_there():
    photo = laid_photo()
    assert play(photo, BOOK, laid="(三三花三)", win="五").proposal is None


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "en"])
def test_the_report_speaks_every_language(lang):
    text = play(laid_photo(), BOOK, lang=lang).text()
    assert text
    assert ("賭" in text or "個" in text or "讀" in text) == (lang == "zh-Hant")


def test_a_guess_that_was_taken_is_shown():
    played = play(laid_photo(), BOOK, take_guess=True, lang="en")
    assert "Taken from how the cards lie: on the table (三三花三)." in played.text()
    assert played.to_json()["guessed"] is True
    assert play(laid_photo(), BOOK, laid="(三三花三)", win="五", take_guess=True).guessed is False


def test_an_unknown_deck_is_said_first():
    photo = reading(*COLUMNS, unsure={0: [("大", 0.2)]}, deck=None)
    assert "deck learn" in play(photo, BOOK, lang="en").text().splitlines()[0]


def test_what_is_written_down_of_a_photo_of_which_no_card_could_be_read():
    photo = replace(reading(deck=None), doubts=(Doubt((5.0, 5.0), "unreadable"),))
    assert "no card could be read" in play(photo, BOOK, lang="en").text().splitlines()[0]
    names = [card.card for card in reading(*COLUMNS).cards]
    added = Corrections.parse(added=names, cleared=[0])
    played = play(photo, BOOK, corrections=added, lang="en")
    assert played.settlement.settled
    assert "deck learn" not in played.text()


def test_a_declared_four_that_may_break_can_hold_the_winning_card():
    book = scorer.load_book("tongcheng")
    photo = reading("上大人", "可知禮", "八九子", "三三三", "五五五", "二二", laid=("四四四四",))
    assert play(photo, book, laid="[四四四四]", win="四").win is not None
    with pytest.raises(LaidError):
        play(photo, book, laid="(四四四四)", win="四")


def test_a_picked_up_card_is_told_with_the_corrections():
    photo = reading("上大人", "可知禮", "八九子", "三三三", "五五五", "化三千", "二二")
    played = play(photo, scorer.load_book("tongcheng"), corrections=Corrections.parse(["6=撿八"]))
    assert played.hand.picked == ("八",)


def test_the_overlay_shows_what_was_corrected():
    shown = play(reading(*COLUMNS), BOOK, corrections=Corrections.parse(["0=可"], [1], ["八"])).shown()
    assert [card.card for card in shown.cards[:2]] == ["可", "人"]
    assert len(shown.cards) == 25


def test_wilds_are_found_in_the_photo_whatever_they_stand_for():
    book = scorer.load_book("shuangbiegan")
    photo = reading(*COLUMNS[:4], "化賴千", "花七十土", "三三花三", "四四四", "五花五", kind=112)
    said = play(photo, book).to_json()
    assert sorted(place for group in said["groups"] for place in group["indices"]) == list(range(26))


@pytest.mark.parametrize("seed", range(30))
def test_settled_is_what_scoring_every_possible_hand_says(seed):
    """Against the obvious second way: write out every hand that the photo may show and score each."""
    rng = random.Random(seed)
    book = scorer.load_book(rng.choice(["jingzhou", "wujing", "tongcheng", "sanjing"]))
    deck = scorer.deck_cards(book.kind)
    names = list(finished_hand(rng, book).free)
    unsure = {}
    for place in rng.sample(range(len(names)), rng.randint(1, 3)):
        near = [card for card in deck if card[-1] == names[place][-1] and card != names[place]]
        others = dict.fromkeys([*near, rng.choice(list(deck))])
        others.pop(names[place], None)
        unsure[place] = [(name, 0.5 / len(others)) for name in others]
    cards = tuple(
        read_card(name, place, sure=place not in unsure, others=unsure.get(place, ()))
        for place, name in enumerate(names)
    )
    played = play(Reading((800, 600), "kai", cards, kind=book.kind), book, seconds=60)
    outcomes = set()
    for chosen in product(*([names[place], *(name for name, _ in unsure[place])] for place in unsure)):
        hand = list(names)
        for place, name in zip(unsure, chosen, strict=True):
            hand[place] = name
        if not Counter(hand) - Counter(deck):
            score = scorer.score(book, scorer.Hand(free=tuple(hand)))
            outcomes.add((score.wins, score.payments, score.points))
    assert played.settlement.readings >= len(outcomes)
    assert played.settlement.settled == (len({outcome[:2] for outcome in outcomes}) == 1)
    points = [outcome[2] for outcome in outcomes if outcome[2] is not None]
    assert played.settlement.points_range == ((min(points), max(points)) if points else None)


def test_who_points_at_an_unsure_laid_card_does_not_say_what_it_is():
    """A flower in the laid triplet changes the steps: 22 points with it, 20 without."""
    columns = ("上大人", "可知禮", "孔乙己", "八九子", "花三四花五", "花七十土", "四四四", "五五")
    photo = reading(*columns, laid=("三三花三",), unsure={2: [("三", 0.4)]})
    pointed = play(photo, BOOK, laid=[LaidGroup((0, 1, 2))])
    assert len({outcome.paid for outcome in _outcomes(pointed)}) > 1
    assert not pointed.settlement.settled
    written = play(photo, BOOK, laid="(三三花三)")
    assert written.settlement.settled


def _outcomes(played):
    return [answer.outcome for question in played.settlement.questions for answer in question.answers]


def test_what_lay_on_the_table_stays_a_group():
    """Somebody points at four 四: that one of them might be a 六 is no reading."""
    photo = reading(*COLUMNS[:7], "五花五", laid=("四四四四",), unsure={2: [("六", 0.3)], 3: [("土", 0.2)]})
    assert play(photo, BOOK, laid=[LaidGroup((0, 1, 2, 3))]).settlement.readings == 1
    assert play(photo, BOOK).settlement.readings == 4


def test_a_hand_with_a_card_too_few_is_not_settled_and_says_so():
    photo = reading(*COLUMNS[:-1], "五")
    played = play(photo, BOOK)
    assert played.status == ASK
    assert played.to_json()["missing"] == 1
    assert played.to_json()["questions"] == []
    for lang, says in (("zh-Hant", "少了 1 張"), ("zh-Hans", "少了 1 张"), ("en", "1 card missing")):
        assert says in play(photo, BOOK, lang=lang).text().splitlines()[0]
    assert play(photo, BOOK, corrections=Corrections.parse((), (), ["花五"])).status == DONE


SIX_ALIKE = (*COLUMNS[:6], "六六六", *COLUMNS[7:])
"""No four alike, so that a hand of 26 cards is the only one."""


@pytest.mark.parametrize(
    ("rule", "kind", "columns"),
    [
        ("jingzhou", 110, SIX_ALIKE),
        ("shuangbiegan", 112, SIX_ALIKE),
        ("tongcheng", 110, (*COLUMNS[:4], "六六六", "四四四", "五花五")),
        ("shangdaren", 96, ("上大人", "孔乙己", "化三千", "福祿壽", "佳作仁", "爾小生", "八八")),
    ],
)
def test_every_rule_knows_how_many_cards_its_hand_has(rule, kind, columns):
    book = scorer.load_book(rule)
    whole = reading(*columns, kind=kind)
    assert play(whole, book).settlement.missing == 0
    for gone in range(1, 4):
        fewer = Reading((800, 600), "kai", whole.cards[gone:], kind=kind)
        played = play(fewer, book)
        assert (played.settlement.missing, played.status) == (gone, ASK)
    assert play(reading(*columns, "大", "人", kind=kind), book).settlement.missing == -2


def test_a_made_up_card_is_asked_for_with_the_answer_that_there_is_none():
    photo = reading(*SIX_ALIKE, "二", unsure={26: [("八", 0.3)]})
    played = play(photo, BOOK)
    assert played.settlement.missing == -1
    assert played.status == ASK
    (question,) = played.to_json()["questions"]
    assert question["index"] == 26
    assert None in [answer["card"] for answer in question["answers"]]
    assert "1 card too many (--drop N)" in play(photo, BOOK, lang="en").text().splitlines()[0]
    assert play(photo, BOOK, corrections=Corrections.parse((), [26])).settlement.settled


def test_a_card_may_be_made_up_where_four_alike_allow_one_more():
    """There are four 三: a hand of 27 cards is possible, but this one does not split."""
    photo = reading(*COLUMNS, "六", unsure={26: [("八", 0.3)]})
    played = play(photo, BOOK)
    assert played.score.reason == "no_split"
    (question,) = played.to_json()["questions"]
    answers = {answer["card"]: answer["wins"] for answer in question["answers"]}
    assert answers == {"六": False, "八": False, None: True}


def test_half_a_hand_is_no_hand_of_which_cards_are_missing():
    assert play(reading(*COLUMNS[:4]), BOOK).status == NO_WIN
    assert play(reading(*COLUMNS[:5]), BOOK).status == ASK


def test_two_cards_on_the_table_lack_the_third():
    photo = reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("三花三",))
    assert play(photo, BOOK, laid=[LaidGroup((0, 1))]).settlement.missing == 1


def test_a_sure_card_that_may_well_be_its_flower_is_asked_for_where_it_pays_otherwise():
    """With a plain 七 the hand counts 21 and not 22, a step less."""
    cards = list(reading(*COLUMNS).cards)
    cards[15] = read_card("花七", 5, confidence=0.98, others=[("七", 0.02)])
    played = play(Reading((800, 600), "kai", tuple(cards), kind=110), BOOK)
    assert played.status == ASK
    (question,) = played.to_json()["questions"]
    assert question["index"] == 15
    assert [(answer["card"], answer["points"]) for answer in question["answers"][:2]] == [
        ("花七", 22),
        ("七", 21),
    ]
    assert play(played.reading, BOOK, corrections=Corrections.parse(["15=花七"])).status == DONE


def test_a_sure_card_whose_other_names_make_no_hand_is_not_asked_for():
    cards = list(reading(*COLUMNS).cards)
    cards[0] = read_card("上", 0, confidence=0.98, others=[("土", 0.02)])
    played = play(Reading((800, 600), "kai", tuple(cards), kind=110), BOOK)
    assert played.status == DONE
    assert 0 < played.to_json()["otherwise"] < 0.002


def test_a_sure_card_of_another_name_is_asked_for_where_the_hand_does_not_split():
    cards = list(reading(*COLUMNS).cards)
    cards[0] = read_card("土", 0, confidence=0.997, others=[("上", 0.003)])
    photo = Reading((800, 600), "kai", tuple(cards), kind=110)
    played = play(photo, BOOK)
    assert played.score.reason == "no_split"
    assert played.status == ASK
    assert played.settlement.questions[0].index == 0
    assert play(photo, BOOK, corrections=Corrections.parse(["0=上"])).status == DONE


def test_sure_cards_that_do_not_split_are_settled_where_nothing_speaks_against_them():
    columns = ("土大人", *COLUMNS[1:])
    assert play(reading(*columns), BOOK).status == NO_WIN


def test_a_hand_that_does_not_split_is_not_settled_where_the_reader_missed_a_card():
    """What was added shows that the reader was wrong about this photo: it may be wrong about more."""
    whole = reading("土大人", *COLUMNS[1:])
    fewer = Reading((800, 600), "kai", whole.cards[:-1], kind=110)
    played = play(fewer, BOOK, corrections=Corrections.parse((), (), ["花五"]))
    assert played.score.reason == "no_split"
    assert played.status == ASK
    assert played.settlement.questions


def test_one_of_four_alike_may_be_read_twice_where_the_reader_miscounted():
    """With a fourth 四 a hand of 27 cards wins as well as with three of 26."""
    columns = (*COLUMNS[:6], "三三花三", "四四四四", "五花五", "六")
    photo = reading(*columns)
    dropped = play(photo, BOOK, corrections=Corrections.parse((), [27]), terms=Terms(stake=10))
    assert dropped.score.wins
    assert dropped.status == ASK
    (first, *_) = dropped.settlement.questions
    assert dropped.cards[first.index].card in ("三", "花三", "四")
    assert first.answers[-1].card is None
    assert play(reading(*columns[:-1]), BOOK).status == DONE


def test_a_guess_says_what_the_hand_would_be_without_it():
    photo = reading(*COLUMNS[:6], *COLUMNS[7:], laid=("三三花三",))
    played = play(photo, BOOK, take_guess=True, lang="en")
    said = played.to_json()
    assert said["guessed"] is True
    assert (said["points"], said["without_guess"]["points"]) == (18, 22)
    lines = played.text().splitlines()
    assert lines[0].startswith("Taken from how the cards lie")
    assert "22 points" in lines[0]
    told = play(photo, BOOK, laid="(三三花三)", take_guess=True)
    assert told.to_json()["without_guess"] is None


def test_a_guess_that_would_change_the_payment_is_said_before_the_count():
    photo = reading(*COLUMNS[:6], *COLUMNS[7:], laid=("三三花三",))
    played = play(photo, BOOK, lang="en")
    assert played.proposal.changes
    assert played.text().splitlines()[0].startswith("A guess, not counted")


def test_while_a_card_has_to_be_asked_for_nobody_is_said_to_have_claimed_falsely():
    book = scorer.load_book("jingzhou", {"false_claim": "3"})
    photo = reading("土大人", *COLUMNS[1:], unsure={0: [("上", 0.3)]})
    played = play(photo, book)
    assert played.score.reason == "no_split"
    assert played.to_json()["penalty"] == []
    assert "詐和" not in played.text()
    answered = play(photo, book, corrections=Corrections.parse(["0=土"]))
    assert answered.status == NO_WIN
    assert [each["pays"] for each in answered.to_json()["penalty"]] == [3, 3]
    assert "詐和" in answered.text()


def test_a_group_on_the_table_that_is_none_is_not_settled_unless_it_was_written_down():
    cards = list(reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("六三花三",)).cards)
    cards[0] = read_card("六", 0, confidence=0.999, others=[("五", 0.001)], top=0.0)
    photo = Reading((800, 600), "kai", tuple(cards), kind=110)
    pointed = play(photo, BOOK, laid=[LaidGroup((0, 1, 2))])
    assert pointed.score.reason == "unknown_group"
    assert pointed.status == ASK
    assert pointed.to_json()["impossible"] is True
    assert "有牌讀錯或指錯" in pointed.text().splitlines()[0]
    written = play(photo, BOOK, laid="(六三花三)")
    assert written.score.reason == "unknown_group"
    assert written.status == NO_WIN


def test_a_group_on_the_table_that_is_none_hides_no_missing_card():
    whole = reading(*COLUMNS[:-3], *COLUMNS[-2:], laid=("六三花三",)).cards
    photo = Reading((800, 600), "kai", whole[:-1], kind=110)
    assert play(photo, BOOK, laid=[LaidGroup((0, 1, 2))]).settlement.missing == 1


def test_more_copies_than_the_deck_has_are_not_settled_unless_they_were_told():
    """Four plain 三: one of them is a flower copy, or the cards of two decks got mixed."""
    columns = ("上大人", "可知禮", "孔乙己", "八九子", "化三千", "花七十土", "三三三", "四四四", "五花五")
    cards = [
        replace(card, confidence=0.999) if card.card == "三" else card for card in reading(*columns).cards
    ]
    photo = Reading((800, 600), "kai", tuple(cards), kind=110)
    read = play(photo, BOOK)
    assert read.score.reason == "too_many_copies"
    assert read.status == ASK
    said = [f"{place}=三" for place, card in enumerate(cards) if card.card == "三"]
    assert play(photo, BOOK, corrections=Corrections.parse(said)).status == NO_WIN


FOUR_ALIKE = ("上大人", "可知禮", "孔乙己", "八九子", "化三千", "花七十土", "六六六六", "四四四", "五花五")
"""27 cards; with 26 of them the number fits, too, as the four 六 may be a triplet and one more."""


def test_a_card_that_was_missed_is_noticed_where_four_alike_hide_it():
    whole = reading(*FOUR_ALIKE)
    assert play(whole, BOOK).score.points is not None
    fewer = Reading((800, 600), "kai", whole.cards[1:], kind=110)
    played = play(fewer, BOOK)
    assert played.score.reason == "no_split"
    assert (played.settlement.missing, played.status) == (1, ASK)


def test_a_card_that_was_read_twice_is_asked_for_where_four_alike_hide_it():
    columns = (*FOUR_ALIKE[:6], "三三花三", *FOUR_ALIKE[7:])
    photo = reading(*columns, "土", laid=())
    played = play(photo, BOOK)
    assert played.score.reason == "no_split"
    assert played.status == ASK
    answers = [answer for question in played.settlement.questions for answer in question.answers]
    assert any(answer.card is None and answer.outcome.finished for answer in answers)


def test_that_a_card_may_lie_hidden_under_others_alike_is_owned_up_to():
    """Under (五五花五) there may be a fourth 五: a quad of the main jing pays more."""
    columns = ("上大人", "可知禮", "孔乙己", "八九子", "二三四", "花七十土", "四四四", "六六")
    cards = [replace(card, confidence=0.99999) for card in reading(*columns, laid=("五五花五",)).cards]
    photo = Reading((800, 600), "kai", tuple(cards), kind=110)
    three = play(photo, BOOK, laid=[LaidGroup((0, 1, 2))])
    four = scorer.score(BOOK, scorer.parse_hand("".join(columns) + "(五五花五五)"))
    assert four.payments != three.score.payments
    assert three.settlement.settled
    assert 0.001 <= three.settlement.otherwise < 0.003


def test_the_hint_names_the_likeliest_card_that_no_group_has_taken():
    photo = reading(
        *("三三三", "上大人", "可知禮", "孔乙己"),
        unsure={0: [("花三", 0.4)], 4: [("花三", 0.1)], 7: [("花三", 0.3)], 9: [("花三", 0.02)]},
    )
    with pytest.raises(LaidError, match="--set 7=花三"):
        play(photo, BOOK, laid="(花三三三三)")
    with pytest.raises(LaidError, match="--set 4=花三"):
        play(photo, BOOK, laid="(花三三三三)(可知禮)(孔乙己)")


def test_a_group_that_differs_only_by_the_flower_is_told_so():
    photo = reading("上大人", laid=("花九九花九九",))
    with pytest.raises(LaidError) as error:
        play(photo, BOOK, laid="(九九九花九)")
    assert "differs only by the flower: --set 2=九" in error.value.text("en")
    assert "只差花" in error.value.text("zh-Hant")
    assert "--add" not in error.value.text("en")


def test_what_was_told_is_not_called_guessed_and_the_rest_is_guessed():
    photo = reading(*COLUMNS[:5], *COLUMNS[8:], laid=("三三花三", "四四四"))
    told = play(photo, BOOK, laid="(三三花三)", take_guess=True, lang="en")
    assert len(told.laid) == 2
    said = next(line for line in told.text().splitlines() if line.startswith("Taken"))
    assert "(四四四)" in said
    assert "三三花三" not in said
    whole = play(photo, BOOK, laid="(三三花三)(四四四)", take_guess=True, lang="en")
    assert not any(line.startswith("Taken") for line in whole.text().splitlines())


def test_a_guess_that_comes_to_the_same_has_no_without():
    photo = reading("上大人", "八九", laid=("三三花三",))
    played = play(photo, BOOK, take_guess=True, lang="en")
    (said,) = [line for line in played.text().splitlines() if line.startswith("Taken")]
    assert "Without" not in said


def test_a_range_that_no_answer_reaches_says_what_it_takes():
    photo = reading(*COLUMNS[:5], "花七十", *COLUMNS[6:-1], "五", doubts=2)
    played = play(photo, BOOK, lang="en")
    assert played.settlement.points_range is not None
    assert all(
        answer.outcome.points is None for each in played.settlement.questions for answer in each.answers
    )
    first, *rest = played.text().splitlines()
    assert "only if more than one place" in first
    assert "are possible" not in first
    for place in (0, 1):
        assert any(f"--clear {place}" in line and "--add CARD" in line for line in rest)
    one = play(reading(*COLUMNS[:-1], "五", doubts=1), BOOK, lang="en").text().splitlines()[0]
    assert "points are possible" in one
    assert "1 place could" in one


def test_too_many_and_missing_cards_are_counted_in_words():
    less = play(reading(*SIX_ALIKE[:-1]), BOOK, lang="en").text().splitlines()[0]
    assert "2 cards missing (--add CARD --add CARD)" in less
    more = play(reading(*SIX_ALIKE, "大", "人"), BOOK, lang="en").text().splitlines()[0]
    assert "2 cards too many (--drop N --drop N)" in more


def test_answers_name_the_unit_beside_the_figure():
    photo = reading(*COLUMNS, unsure={15: [("七", 0.3)]})
    assert " 和，收" in play(photo, BOOK, lang="zh-Hant").text().splitlines()[1]
