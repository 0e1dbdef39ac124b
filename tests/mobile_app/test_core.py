"""The smaller parts: lines, the course, learning, keeping, jobs."""

import io
import zipfile

import pytest

import scorer
from mobile_app import keeping
from mobile_app.course import course, example, waiting
from mobile_app.desktop import Desktop
from mobile_app.learning import Course
from mobile_app.lines import break_lines, pieces
from mobile_app.model import Model
from mobile_app.result import headline, next_best_text, pays, spoken, why_not
from mobile_app.settings import Settings
from mobile_app.worker import Job
from tests import PATIENCE_S
from tests.mobile_app import hands
from tests.vision.synthetic import MapFinder, PixelNamer, ends_map, paint, row
from vision.deck import Deck
from vision.errors import Cancelled, DeckError
from vision.faces import COPIES
from vision.read import Picture, Reader
from vision.shelf import Shelf


def wide(text):
    return sum(2 if ord(character) > 0x2E80 else 1 for character in text)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("短", 10, "短"),
        ("還要三張。再看", 8, "還要三\n張。再看"),
        ("共 110 張牌", 7, "共 110\n張牌"),
        ("說（上大人）好", 6, "說（上\n大人）\n好"),
        ("one long line", 8, "one long\nline"),
        ("一\n二", 10, "一\n二"),
        ("unbreakable", 4, "unbr\neaka\nble"),
    ],
)
def test_lines_break_as_people_break_them(text, width, lines):
    assert break_lines(text, width, wide) == lines


def test_pieces_together_are_the_line():
    text = "自摸：每家付 3；別人打出：共付 6（以每坡 1 計）。"
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize("rule", scorer.RULES)
@pytest.mark.parametrize("lang", scorer.LANGS)
def test_the_course_of_every_rule_holds(rule, lang):
    book = scorer.load_book(rule)
    assert scorer.score(book, example(book)).wins
    pages = course(book, lang)
    quiz = pages[-1].quiz
    assert quiz.right & set(quiz.answers)
    assert set(quiz.answers) - quiz.right
    assert quiz.right == {wait.card for wait in scorer.waits(book, waiting(book))}
    assert len(set(quiz.answers)) == 4


def spread(labels):
    """Faces in rows of fourteen, as the guided screen says."""
    cards = []
    for start in range(0, len(labels), 14):
        cards += row(labels[start : start + 14], 60, 170 + start // 14 * 260, step=86)
    return cards


def face_reader(*shown):
    finder = MapFinder(*(ends_map(cards, (1280, 960)) for cards in shown))
    return Reader(finder=finder, namer=PixelNamer(), namer_sha256=PixelNamer.sha256)


@pytest.mark.parametrize("kind", [110, 96])
def test_a_deck_is_learned_from_one_photo_in_the_order_of_the_screen(kind):
    labels = list(COPIES[kind])
    cards = spread(labels)
    reader = face_reader(cards)
    course = Course("我的牌", kind).look(Picture.of(paint(cards, (1280, 960))), reader)
    assert course.missing == ()
    deck, _ = course.deck(reader)
    assert deck.labels == tuple(labels)
    assert Deck.from_bytes(deck.to_bytes()).labels == tuple(labels)


def looked_at(labels):
    cards = spread(labels)
    return Course("我的牌", 110).look(Picture.of(paint(cards, (1280, 960))), face_reader(cards))


def test_what_is_no_face_moves_the_names_behind_it_on():
    course = looked_at(list(COPIES[110]))
    lesson = course.lessons[-1].call_on(3, None, course.asked)
    assert 3 not in lesson.names
    faces = course.faces
    assert [lesson.names[place] for place in (2, 4, 5)] == [faces[2], faces[3], faces[4]]


def test_a_card_that_was_overlooked_moves_the_names_behind_it_back():
    course = looked_at(list(COPIES[110]))
    lesson = course.lessons[-1].call_on(3, course.faces[4], course.asked)
    assert [lesson.names[place] for place in (2, 3, 4)] == [course.faces[2], course.faces[4], course.faces[5]]
    assert len(course.faces) - 1 not in lesson.names


def test_names_that_run_backwards_follow_backwards():
    course = looked_at(list(COPIES[110]))
    turned = course.lessons[-1].reversed()
    last = len(course.faces) - 1
    lesson = turned.call_on(last - 3, None, course.asked)
    assert last - 3 not in lesson.names
    faces = course.faces
    assert [lesson.names[place] for place in (last, last - 2, last - 4)] == [faces[0], faces[2], faces[3]]


def test_a_photo_from_across_the_table_is_turned_round():
    course = looked_at(list(COPIES[110]))
    lesson = course.lessons[-1].call(0, "上").reversed()
    assert [lesson.names[place] for place in sorted(lesson.names)] == list(course.faces[::-1])
    assert lesson.reversed().names == course.lessons[-1].names


def test_the_rest_of_a_deck_is_learned_from_a_second_photo():
    labels = list(COPIES[110])
    first, second = spread(labels[:14]), spread(labels[14:])
    reader = face_reader(first, second)
    course = Course("老牌", 110).look(Picture.of(paint(first, (1280, 960))), reader)
    assert course.missing == tuple(labels[14:])
    course = course.look(Picture.of(paint(second, (1280, 960))), reader)
    assert course.missing == ()
    assert course.drop().missing == tuple(labels[14:])


def test_a_wrong_name_is_corrected_and_what_is_no_face_left_out():
    cards = spread(["上", "大", "人"])
    reader = face_reader(cards)
    course = Course("老牌", 110).look(Picture.of(paint(cards, (1280, 960))), reader)
    lesson = course.lessons[-1].call(0, "子").call(2, None)
    deck, _ = course.put(lesson).deck(reader)
    assert deck.labels == ("大", "子")


def test_a_deck_without_faces_is_saved_as_nothing():
    reader = face_reader([])
    deck, warnings = Course("空", 110).deck(reader)
    assert deck.labels == ()
    assert warnings == ()


@pytest.fixture
def model(tmp_path):
    model = Model(tmp_path / "one", hands.reader())
    yield model
    model.close()


def test_a_backup_brings_everything_back_on_another_phone(model, tmp_path):
    model.set(Settings(lang="en").with_rule("jingzhou"))
    model.shelf.save(hands.deck())
    _, settings = model.evening.drawn(model.settings)
    model.set(settings)
    data = keeping.backup(model.settings, model.evening.ledger, model.shelf)
    other = Model(tmp_path / "two", hands.reader())
    settings = keeping.bring_back(data, other.evening.ledger, other.shelf)
    other.set(settings)
    assert settings == model.settings
    assert len(other.evening.table(settings).lines) == 1
    assert [deck.name for deck in other.shelf.own()] == ["made-up"]
    other.close()


def bad_zip(**members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"no zip", bad_zip(settings_dot_json="{"), bad_zip(other="x"), bad_zip(settings_dot_json="{}")],
)
def test_what_is_no_backup_is_refused_in_one_line(model, data):
    with pytest.raises(keeping.KeepingError) as caught:
        keeping.bring_back(data, model.evening.ledger, model.shelf)
    assert "\n" not in caught.value.text("zh-Hant")
    assert model.evening.ledger.tables() == ()


def test_a_damaged_deck_in_a_backup_brings_nothing_back(model):
    good = keeping.backup(model.settings, model.evening.ledger, model.shelf)
    target = io.BytesIO(good)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("decks/x.deck", "no deck")
    with pytest.raises(DeckError):
        keeping.bring_back(target.getvalue(), model.evening.ledger, model.shelf)


def score(text, **more):
    return scorer.score(scorer.load_book("jingzhou"), scorer.parse_hand(text), **more)


WINNING = "上大人 可知禮 孔乙己 化花三千 三三花三 五五五花五 七七七 四四四 八九"


def test_the_result_in_words():
    won = score(WINNING, stake=10)
    assert headline(won, "zh-Hant") == ("40 和", "5 坡")
    assert headline(won, "en") == ("40 points", "5 steps")
    assert [(each.payer, each.payee, each.amount) for each in pays(won, ("甲", "乙", "丙"))] == [
        ("乙", "甲", 50),
        ("丙", "甲", 50),
    ]
    assert "38" in next_best_text(won, "zh-Hant")
    assert spoken(won, ("甲", "乙", "丙"), "zh-Hant") == "40 和。5 坡。乙付給甲50。丙付給甲50。"
    assert why_not(won) == ""


def test_a_hand_that_does_not_win_says_why_and_what_is_missing():
    lost = score("上大人 可知禮")
    assert headline(lost, "zh-Hans")[0] == "不胡"
    assert "26" in why_not(lost)
    assert why_not(score("上大人 可知禮", lang="en"))[0].isupper()
    assert next_best_text(lost, "en") == ""


def test_a_job_hands_its_error_on():
    def work(_):
        raise ValueError("no")

    job = Job(work).start()
    assert job.wait(PATIENCE_S)
    with pytest.raises(ValueError, match="no"):
        job.result()


def test_a_running_job_tells_its_progress_and_stops_at_the_next_stage():
    job = Job(lambda _: None)
    job.tell("find", 0.4)
    assert (job.progress.stage, job.progress.share) == ("find", 0.4)
    job.cancel()
    with pytest.raises(Cancelled):
        job.tell("name", 0.6)


def test_a_desktop_saves_into_its_folder(tmp_path):
    said = []
    Desktop(tmp_path).save_file("../slip.png", "image/png", b"x", said.append)
    assert said == [str(tmp_path / "saved" / "slip.png")]
    assert (tmp_path / "saved" / "slip.png").read_bytes() == b"x"


def test_a_shelf_of_the_app_lies_in_its_folder(model, tmp_path):
    assert model.shelf.folder == tmp_path / "one" / "decks"
    assert isinstance(model.shelf, Shelf)
