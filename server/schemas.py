"""The JSON of the API: what may be sent, and what comes back.

Names are those of INTERFACE.md and of `table.ledger`; answers are the `to_json` of the same types
and are described here, not made anew.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

Language = Literal["zh-Hant", "zh-Hans", "en"]
RuleName = Annotated[str, StringConstraints(max_length=40, pattern=r"^[a-z_]+$")]
HandText = Annotated[str, StringConstraints(max_length=400)]
CardText = Annotated[str, StringConstraints(min_length=1, max_length=8)]
PlayerId = Annotated[str, StringConstraints(pattern=r"^p[0-9]{1,3}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
DeckName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Note = Annotated[str, StringConstraints(max_length=400)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
OptionName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
OptionValue = bool | int | Annotated[str, StringConstraints(max_length=64)]
Options = Annotated[dict[OptionName, OptionValue], Field(max_length=32)]
Stake = Annotated[StrictInt, Field(ge=1, le=1_000_000, description="What one step is worth, whole units")]
Seat = Annotated[StrictInt, Field(ge=0, le=7)]
Amount = Annotated[StrictInt, Field(ge=-1_000_000_000, le=1_000_000_000)]
Amounts = Annotated[
    dict[PlayerId, Amount],
    Field(
        min_length=1,
        max_length=32,
        description="Player and what they gain, negative for a loss; adds up to 0",
    ),
]
PlayerIds = Annotated[list[PlayerId], Field(max_length=8)]

HAND = "上大人 孔乙己 化花三千 七十土 八九子 二二二 四五六 六六 (可可可)"


class _Asked(BaseModel):
    """What may be sent: nothing beside the fields that are named."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class _Told(BaseModel):
    """What comes back; more fields may come with later versions."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)


# Hands


class Terms(_Asked):
    """How a hand was won and what is played for; the fields of INTERFACE.md."""

    rule: RuleName = Field(examples=["jingzhou"])
    options: Options = Field(default={}, examples=[{"main_jing": "best"}])
    by: Literal["self", "discard"] = "self"
    players: Annotated[StrictInt, Field(ge=2, le=4)] | None = None
    stake: Stake = 1
    winner: Seat = 0
    discarder: Seat | None = Field(default=None, alias="from")
    dui: Annotated[dict[Annotated[int, Field(ge=0, le=7)], Seat], Field(max_length=8)] | None = None


class HandRequest(Terms):
    """A hand to be counted."""

    hand: HandText = Field(examples=[HAND])
    win: CardText | None = Field(default=None, examples=["三"])


class WaitsRequest(Terms):
    """A hand without its winning card, or with one card too many."""

    hand: HandText = Field(examples=["上大人 孔乙己 化花三千 七十土 八九子 二二二 四五六 六 (可可可)"])


class Group(_Told):
    """A group of the best split."""

    shape: Literal["sentence", "triplet", "quad", "quint", "eye", "pair"]
    name: str
    cards: list[str]
    exposed: bool
    points: int
    why: str
    basis: Literal["seed", "practice", "option"]


class Payment(_Told):
    """What one seat pays another."""

    seat: int
    pays: int
    to: int


class Warned(_Told):
    """Something that a photo or a text cannot tell."""

    code: str
    text: str


class Added(_Told):
    """Steps beside those of the class."""

    name: str
    steps: int


class ScoreAnswer(_Told):
    """A hand that was counted, as `suanhu score --json`."""

    rule: str
    wins: bool
    reason: str | None
    reason_text: str = Field(description="Why it does not win, one sentence; empty where it wins")
    points: int | None
    minimum: int
    unit: str
    steps: int
    step_unit: str
    class_: str | None = Field(alias="class")
    added: list[Added] = Field(description="What was added to the steps of the class")
    main_jing: str | None
    groups: list[Group]
    payments: list[Payment]
    stake: int
    hand: str
    warnings: list[Warned] = []


class Wait(_Told):
    """A card that completes the hand."""

    card: str
    left: int
    points: int | None
    steps: int
    wins: bool
    form: str | None = Field(description="What such a wait is called; null where it has no name")


class WaitsAnswer(_Told):
    """What a hand waits for."""

    waits: list[Wait]


class Discard(_Told):
    """A card to discard, and what is waited for then."""

    discard: str
    left: int
    waits: list[Wait]


class AdviceAnswer(_Told):
    """What to discard, the best first."""

    advise: list[Discard]
    why: str
    reason: str | None = Field(
        default=None, description="Why no discard can leave a wait, where the hand itself is wrong"
    )
    reason_text: str | None = Field(default=None, description="The reason in one sentence")


class RuleOption(_Told):
    """An option of a rule book."""

    name: str
    default: OptionValue
    values: list[OptionValue] = Field(description="What it may be; empty: any whole number from `least` on")
    least: int
    meaning: str
    source: str = Field(description="Where the default comes from: seeds or practice")


class RuleAnswer(_Told):
    """A rule book."""

    rule: str
    title: str
    kind: int = Field(description="Cards of its deck: 110, 112 or 96")
    players: list[int]
    default_players: int
    options: dict[str, OptionValue] = Field(description="Every option with its default")
    option_details: list[RuleOption]
    text: str = Field(description="The book in words, with options and sources")


class RulesAnswer(_Told):
    """Every rule book."""

    rules: list[RuleAnswer]


class FacesAnswer(_Told):
    """The faces of a kind of deck."""

    kind: int
    faces: dict[str, int] = Field(description="Card and how many copies, in the order of the deck")


# Photos

Point = tuple[float, float]


class ReadCard(_Told):
    """A card that was read."""

    card: str
    outline: list[Point] | None
    mark: Point | None
    confidence: float
    sure: bool
    others: list[tuple[str, float]]
    group: int | None


class Doubt(_Told):
    """A place where a card lies that could not be read."""

    mark: Point
    why: Literal["covered", "unreadable", "cut off"]


class ReadAnswer(_Told):
    """What a photo shows, as `suanhu read --json`."""

    size: tuple[int, int]
    deck: str | None
    kind: int | None = None
    cards: list[ReadCard]
    doubts: list[Doubt]
    ms: dict[str, float]


class Reply(_Told):
    """One answer to a question, and what the hand would be with it."""

    card: str | None = Field(description="The card; null for no card at all")
    p: float = Field(description="How likely it is, 0 to 1")
    points: int | None
    steps: int
    payments: list[Payment]
    wins: bool
    decides: bool = Field(description="Whether nothing is left to ask after it")


class Question(_Told):
    """A card that decides what is paid."""

    index: int | None = Field(
        default=None, description="Its place among `cards`; null where no card could be read"
    )
    doubt: int | None = Field(
        default=None, description="Place among the doubts that were read, where no card could be read"
    )
    answers: list[Reply]


class PlacedGroup(Group):
    """A group of the best split, with the places of its cards."""

    indices: list[int] = Field(description="Places among `cards`")


class ScoredCard(ReadCard):
    """A card that counts, as read or as a player said."""

    place: int | None = Field(description="Its place in the reading; null for one that a player added")
    corrected: bool = Field(description="Whether a player said what it is")


class OpenDoubt(Doubt):
    """A place that could not be read and that nobody has cleared."""

    place: int = Field(description="Its place among the doubts that were read")


class LaidAnswer(_Told):
    """A group that lay on the table."""

    indices: list[int] = Field(description="Places among `cards`")
    bracket: Literal["round", "square"]


class ComesTo(_Told):
    """What the hand would be on another view of the table."""

    wins: bool
    reason: str | None
    points: int | None
    steps: int
    payments: list[Payment]


class GuessAnswer(ComesTo):
    """What the places of the cards suggest about the table; nothing of it is counted."""

    laid: str = Field(description="The groups as text")
    indices: list[list[int]] = Field(description="The groups by the places of their cards among `cards`")
    win: str | None
    win_index: int | None
    changes: bool = Field(description="Whether it would change what is paid")


class PhotoAnswer(ScoreAnswer):
    """A photo that was read and scored, as `suanhu photo --json`."""

    size: tuple[int, int]
    deck: str | None
    kind: int | None = Field(default=None, description="Cards of the deck: 110, 112 or 96")
    cards: list[ScoredCard]
    doubts: list[OpenDoubt]
    ms: dict[str, float] = Field(description="Milliseconds that each stage of reading took")
    groups: list[PlacedGroup]  # type: ignore[assignment]
    laid: list[LaidAnswer] = Field(description="What lay on the table, as told or as guessed")
    win: str | None = Field(description="The winning card, null where none was named")
    win_index: int | None = Field(description="Its place among `cards`")
    settled: bool = Field(description="Whether what is paid does not hang on a card that is unsure")
    questions: list[Question] = Field(description="The fewest cards to ask for, so that it is settled")
    points_range: list[int] | None = Field(description="Least and most points of the readings weighed")
    readings: int = Field(description="How many readings were weighed")
    left_out: float = Field(description="The probability of the readings that were not weighed, 0 to 1")
    otherwise: float | None = Field(
        description="The probability, 0 to 1, that a sure card is another, or that one was missed, and the "
        "hand pays otherwise; null where unsure cards have to be asked for first"
    )
    missing: int = Field(
        description="How many cards a finished hand has more than the likeliest reading; below 0, how many "
        "fewer. Such a hand is never settled"
    )
    impossible: bool = Field(
        description="Whether no table can have the likeliest reading, as with more copies of a card than "
        "there are; such a hand is never settled"
    )
    wins_p: float = Field(description="The probability that the hand wins, 0 to 1")
    penalty: list[Payment] = Field(
        description="What it costs where the hand was declared and does not win; empty while a card has to "
        "be asked for"
    )
    guess: GuessAnswer | None = Field(
        description="What the places of the cards suggest about the table; null where that is nothing or "
        "was taken"
    )
    guessed: bool = Field(description="Whether anything was taken from where the cards lie (`guess`)")
    without_guess: ComesTo | None = Field(
        description="What the hand would be without what was taken from where the cards lie; null where "
        "nothing was"
    )


Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Probability = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
AskedPoint = tuple[Coordinate, Coordinate]


class AskedCard(_Asked):
    """A card of a reading that comes back to be scored."""

    model_config = ConfigDict(extra="ignore")

    card: CardText
    outline: tuple[AskedPoint, AskedPoint, AskedPoint, AskedPoint]
    mark: AskedPoint
    confidence: Probability
    sure: bool
    others: Annotated[list[tuple[CardText, Probability]], Field(max_length=40)] = []
    group: Annotated[StrictInt, Field(ge=0, le=200)] = 0


class AskedDoubt(_Asked):
    """A doubt of a reading that comes back."""

    model_config = ConfigDict(extra="ignore")

    mark: AskedPoint
    why: Literal["covered", "unreadable", "cut off"]


class AskedReading(_Asked):
    """What `read` answered, sent back to be scored."""

    model_config = ConfigDict(extra="ignore")

    size: tuple[Annotated[StrictInt, Field(ge=1, le=100_000)], Annotated[StrictInt, Field(ge=1, le=100_000)]]
    deck: Annotated[str, StringConstraints(max_length=40)] | None = None
    kind: Literal[110, 112, 96] | None = None
    cards: Annotated[list[AskedCard], Field(max_length=120)] = []
    doubts: Annotated[list[AskedDoubt], Field(max_length=120)] = []


class LaidRequest(_Asked):
    """A group that lay on the table, by the places of its cards."""

    indices: Annotated[list[Annotated[StrictInt, Field(ge=0, le=200)]], Field(min_length=1, max_length=6)]
    bracket: Literal["round", "square"] = "round"


class PhotoTerms(Terms):
    """How to score what a photo shows."""

    cards: Annotated[dict[Annotated[int, Field(ge=0, le=200)], CardText], Field(max_length=120)] = Field(
        default={}, description="Corrections: place in the reading and the true card"
    )
    drop: Annotated[list[Annotated[StrictInt, Field(ge=0, le=200)]], Field(max_length=120)] = Field(
        default=[], description="Places whose cards are none of the hand's"
    )
    add: Annotated[list[CardText], Field(max_length=60)] = Field(
        default=[], description="Cards that the photo lacks"
    )
    laid: HandText | Annotated[list[LaidRequest], Field(max_length=16)] = Field(
        default="", description="What lay on the table: in text, or as places in the corrected cards"
    )
    win: CardText | Annotated[StrictInt, Field(ge=0, le=300)] | None = Field(
        default=None, description="The winning card, or its place in the corrected cards"
    )
    guess: bool = Field(
        default=False, description="Takes what lies apart for laid, as far as nothing was said"
    )


class ReadingRequest(PhotoTerms):
    """A reading to be scored, with corrections."""

    reading: AskedReading


class SlipRequest(ReadingRequest):
    """A hand to be put on a slip."""

    names: Annotated[list[Name], Field(max_length=8)] = Field(
        default=[], description="Who sits on the seats 0, 1, …; numbers where none are given"
    )


class Correction(_Asked):
    """What a card of a photo really is."""

    mark: AskedPoint = Field(description="Where it lies, pixels of the upright photo")
    card: CardText


class CorrectionsRequest(_Asked):
    """What a player corrected in a photo."""

    cards: Annotated[list[Correction], Field(min_length=1, max_length=60)]


# Decks


class NotTaught(_Told):
    """A correction that the deck did not learn, since the card is far nearer to another face."""

    card: str = Field(description="What it was called")
    looks: str = Field(description="What it looks like")


class DeckAnswer(_Told):
    """A deck of cards."""

    name: str
    kind: int
    faces: list[str] = Field(description="Faces that it knows")
    missing: list[str] = Field(description="Faces that it has never seen")
    examples: int
    read_only: bool
    own: bool = Field(description="Whether it belongs to this table (or, without a table, to this machine)")
    warnings: list[Warned] = Field(default=[], description="What is weak about it, where it was just learned")
    taught: int | None = Field(
        default=None, description="How many cards taught it something, where it was just corrected"
    )
    refused: list[NotTaught] = Field(
        default=[], description="What it did not learn of what it was just told, since it looks otherwise"
    )


class DecksAnswer(_Told):
    """The decks that can be read with."""

    decks: list[DeckAnswer]


# Tables


class TableRequest(_Asked):
    """A table to be opened."""

    name: Name = Field(examples=["老王家"])
    rule: RuleName = Field(examples=["jingzhou"])
    options: Options = {}
    stake: Stake = Field(default=1, examples=[10])
    deck: DeckName = "auto"
    players: Annotated[list[Name], Field(max_length=32)] = Field(
        default=[], examples=[["老王", "阿珍", "小李"]]
    )


class TableChange(_Asked):
    """What later rounds are played by."""

    name: Name | None = None
    rule: RuleName | None = None
    options: Options | None = None
    stake: Stake | None = None
    deck: DeckName | None = None


class PlayerRequest(_Asked):
    """Somebody who joins."""

    name: Name = Field(examples=["老趙"])


class PlayerChange(_Asked):
    """Another name, leaving, or coming back."""

    name: Name | None = None
    present: bool | None = None


class SeatsRequest(_Asked):
    """Who sits where."""

    seats: Annotated[list[PlayerId], Field(max_length=32)] = Field(examples=[["p2", "p3", "p1"]])
    dealer: PlayerId | None = None


class InvitationRequest(_Asked):
    """Where another phone is to go."""

    link: Annotated[str, StringConstraints(max_length=400, pattern=r"^https?://[!-~]+$")] = Field(
        examples=["http://192.168.1.7:8000/#table=AbCdEfGh12345678"],
        description="The page as this phone sees it, with the table (and the token) behind `#`",
    )


class _Seated(_Asked):
    seats: PlayerIds = Field(
        default=[], description="Who played, the scorer's seat 0 first; empty: as the table sits"
    )
    rested: PlayerIds = []
    dealer: PlayerId | None = None
    note: Note = ""


class ScoredRequest(_Seated):
    """A round that was won with a hand."""

    kind: Literal["scored"]
    hand: HandText = Field(examples=[HAND])
    win: CardText | None = None
    winner: PlayerId = Field(examples=["p1"])
    discarder: PlayerId | None = Field(default=None, description="None where the card was drawn")
    dui: Annotated[dict[PlayerId, Seat], Field(max_length=8)] = {}
    photo: Sha256 | None = Field(default=None, description="A photo that was kept before")


class DrawnRequest(_Seated):
    """A round that nobody won."""

    kind: Literal["drawn"]


class ByHandRequest(_Seated):
    """A round whose payments are entered by hand."""

    kind: Literal["by_hand"]
    amounts: Amounts = Field(examples=[{"p1": 20, "p2": -10, "p3": -10}])
    winner: PlayerId | None = None
    discarder: PlayerId | None = None


class AdjustmentRequest(_Asked):
    """Money that changed hands for another reason."""

    kind: Literal["adjustment"]
    amounts: Amounts = Field(examples=[{"p1": -5, "p2": 5}])
    note: Annotated[str, StringConstraints(min_length=1, max_length=400)] = Field(examples=["茶錢"])


EntryRequest = Annotated[
    ScoredRequest | DrawnRequest | ByHandRequest | AdjustmentRequest, Field(discriminator="kind")
]


class PlayerAnswer(_Told):
    """Somebody who sits or sat at the table."""

    id: str
    name: str
    present: bool


class TableAnswer(_Told):
    """A table as it is now."""

    id: str
    name: str
    rule: str
    options: dict[str, OptionValue]
    stake: int
    deck: str
    opened_at: str
    players: list[PlayerAnswer]
    seats: list[str]
    dealer: str | None
    entries: int
    totals: dict[str, int]
    seq: int


class TablesAnswer(_Told):
    """Every table, the latest first."""

    tables: list[TableAnswer]


class EntryAnswer(_Told):
    """What a line of the ledger says."""

    kind: Literal["scored", "drawn", "by_hand", "adjustment", "settlement"]
    amounts: dict[str, int]
    rule: str
    options: dict[str, OptionValue]
    stake: int
    seats: list[str]
    rested: list[str]
    dealer: str | None
    winner: str | None
    discarder: str | None
    note: str
    hand: str | None
    score: dict[str, Any] | None
    photo: str | None


class VersionAnswer(_Told):
    """One state that a line had."""

    seq: int
    at: str
    entry: EntryAnswer | None
    taken_back: bool


class LineAnswer(_Told):
    """A line of the ledger with everything that it ever said."""

    number: int
    at: str
    counts: bool
    corrected: bool
    entry: EntryAnswer | None
    versions: list[VersionAnswer]


class TransferAnswer(_Told):
    """Money that one player hands to another."""

    payer: str
    payee: str
    amount: int


class SettlementAnswer(_Told):
    """What settles the evening."""

    transfers: list[TransferAnswer]
    fewest: bool


class LedgerAnswer(_Told):
    """The whole evening."""

    table: TableAnswer
    lines: list[LineAnswer]
    settlement: SettlementAnswer


class WrittenAnswer(_Told):
    """What was written."""

    table: TableAnswer
    line: LineAnswer | None
    repeated: bool = Field(
        description="True where this request had been written before and was not written again"
    )


class SeatingAnswer(_Told):
    """Who plays the next round and who rests."""

    seats: list[str]
    rested: list[str]


class PhotoKept(_Told):
    """A photo that is kept."""

    sha256: str


class RestoredAnswer(_Told):
    """What a backup brought."""

    tables: list[str]


class HealthAnswer(_Told):
    """Whether the service can do its work."""

    ok: bool
    version: str
    reading: int = Field(description="Photos that are read or wait")
