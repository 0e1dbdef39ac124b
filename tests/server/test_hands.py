"""Rules and typed hands over the API answer what the scorer answers."""

import pytest

import scorer
from server.schemas import AdviceAnswer, FacesAnswer, RulesAnswer, ScoreAnswer, WaitsAnswer

HAND = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"
API = "/api/v1"


def test_every_rule_book_is_told_with_its_options(client):
    answer = client.get(f"{API}/rules").json()
    RulesAnswer.model_validate(answer)
    assert [rule["rule"] for rule in answer["rules"]] == list(scorer.RULES)
    for rule in answer["rules"]:
        assert {option["name"] for option in rule["option_details"]} == set(rule["options"])
        assert client.get(f"{API}/rules/{rule['rule']}").json() == rule


def test_rules_speak_the_language_that_is_asked_for(client):
    titles = {
        lang: client.get(f"{API}/rules/sanjing", params={"lang": lang}).json()["title"]
        for lang in ("zh-Hant", "zh-Hans", "en")
    }
    assert titles["zh-Hant"] == "三精花牌"
    assert len(set(titles.values())) >= 2
    chinese = client.get(f"{API}/rules/sanjing", headers={"accept-language": "zh-CN,en;q=0.5"}).json()
    assert chinese["title"] == titles["zh-Hans"]


@pytest.mark.parametrize("rule", ["mahjong", "..%2f..%2fetc%2fpasswd", "_110", "x" * 99])
def test_there_is_no_other_rule(client, rule):
    assert client.get(f"{API}/rules/{rule}").status_code == 404


def test_a_hand_scores_as_the_scorer_scores_it(client):
    asked = {
        "rule": "sanjing",
        "hand": HAND,
        "stake": 10,
        "winner": 1,
        "by": "discard",
        "from": 2,
        "win": "七",
    }
    answer = client.post(f"{API}/score", json=asked)
    assert answer.status_code == 200
    ScoreAnswer.model_validate(answer.json())
    book = scorer.load_book("sanjing")
    expected = scorer.score(
        book, scorer.parse_hand(HAND), win="七", by="discard", stake=10, winner=1, discarder=2, lang="en"
    )
    assert answer.json() == expected.to_json()


def test_waits_and_advice(client):
    text = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八"
    waits = client.post(f"{API}/waits", json={"rule": "sanjing", "hand": text})
    WaitsAnswer.model_validate(waits.json())
    assert "九" in {wait["card"] for wait in waits.json()["waits"]}
    advice = client.post(f"{API}/advise", json={"rule": "sanjing", "hand": text + "土"})
    AdviceAnswer.model_validate(advice.json())
    assert advice.json()["advise"]


@pytest.mark.parametrize(("lang", "form"), [("zh-CN", "两条口"), ("zh-TW", "兩條口"), ("en-GB", "兩條口")])
def test_the_form_of_a_wait_is_written_in_the_script_of_the_reader(client, lang, form):
    asked = {
        "rule": "jingzhou",
        "hand": "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九",
    }
    forms = set()
    for path, more, find in (
        ("waits", "", lambda told: told["waits"]),
        ("advise", "土", lambda told: [wait for each in told["advise"] for wait in each["waits"]]),
    ):
        body = asked | {"hand": asked["hand"] + more}
        told = client.post(f"{API}/{path}", json=body, headers={"accept-language": lang}).json()
        waits = find(told)
        assert waits, told
        forms |= {wait["form"] for wait in waits}
    assert form in forms
    assert not forms & ({"两条口", "兩條口"} - {form})


def test_the_faces_of_a_deck(client):
    answer = client.get(f"{API}/faces/112").json()
    FacesAnswer.model_validate(answer)
    assert sum(answer["faces"].values()) == 112
    assert client.get(f"{API}/faces/54").status_code == 422
    assert client.get(f"{API}/faces/100").status_code == 404


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hand": "上大天"}, None),
        ({"hand": "x" * 500}, "invalid"),
        ({"rule": "mahjong"}, "unknown_rule"),
        ({"rule": "/etc/passwd"}, "invalid"),
        ({"options": {"main_jing": "八"}}, "option_value"),
        ({"options": {"nothing": 1}}, "no_option"),
        ({"options": {"bao": None}}, "invalid"),
        ({"stake": 0}, "invalid"),
        ({"stake": 1.5}, "invalid"),
        ({"stake": "10"}, "invalid"),
        ({"stake": 10**30}, "invalid"),
        ({"players": 7}, "invalid"),
        ({"players": 4}, "players"),
        ({"winner": 5}, None),
        ({"win": "土"}, None),
        ({"by": "luck"}, "invalid"),
        ({"dui": {"9": 1}}, "invalid"),
        ({"dui": {"x": 1}}, "invalid"),
        ({"unknown": 1}, "invalid"),
        ({"hand": None}, "invalid"),
    ],
)
def test_what_cannot_be_counted_is_a_problem_with_one_line(client, change, code):
    answer = client.post(f"{API}/score", json={"rule": "sanjing", "hand": HAND} | change)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "code", "errors"}
    assert "\n" not in told["detail"]
    if code is not None:
        assert told["code"] == code
    assert bool(told["errors"]) == (told["code"] == "invalid")


def test_problems_speak_the_language_of_the_request(client):
    asked = {"rule": "sanjing", "hand": "上大天"}
    texts = {
        client.post(f"{API}/score", json=asked, headers={"accept-language": lang}).json()["detail"]
        for lang in ("zh-TW", "zh-CN", "en-GB")
    }
    assert len(texts) == 3
