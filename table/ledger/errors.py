"""What can be wrong with a wish to the ledger, in three languages."""

from __future__ import annotations

_TEXTS: dict[str, tuple[str, str, str]] = {
    "unknown_table": ("沒有這一桌", "没有这一桌", "there is no such table"),
    "unknown_player": (
        "這一桌沒有玩家 {player}",
        "这一桌没有玩家 {player}",
        "no player {player} at this table",
    ),
    "unknown_entry": ("帳上沒有第 {number} 筆", "账上没有第 {number} 笔", "the ledger has no entry {number}"),
    "unknown_photo": ("沒有存這張照片", "没有存这张照片", "this photo is not kept"),
    "player_here": ("{name} 已經在桌上", "{name} 已经在桌上", "{name} is at the table already"),
    "player_away": ("{name} 已經離開", "{name} 已经离开", "{name} has left the table"),
    "bad_name": (
        "名字要有 1 到 {limit} 個字，不含控制字元",
        "名字要有 1 到 {limit} 个字，不含控制字符",
        "a name has 1 to {limit} characters and no control characters",
    ),
    "bad_text": (
        "文字最多 {limit} 個字，不含控制字元",
        "文字最多 {limit} 个字，不含控制字符",
        "a text has at most {limit} characters and no control characters",
    ),
    "bad_stake": (
        "底注要是 1 到 {limit} 的整數",
        "底注要是 1 到 {limit} 的整数",
        "a stake is a whole number from 1 to {limit}",
    ),
    "bad_amount": (
        "金額要是整數，最多 {limit}",
        "金额要是整数，最多 {limit}",
        "an amount is a whole number of at most {limit}",
    ),
    "not_zero": (
        "各人的輸贏加起來要等於 0，現在是 {sum}",
        "各人的输赢加起来要等于 0，现在是 {sum}",
        "what is won and lost must add up to 0, it adds up to {sum}",
    ),
    "no_amounts": ("沒有寫誰輸誰贏", "没有写谁输谁赢", "nobody wins or loses anything"),
    "note_missing": ("調整要寫明原因", "调整要写明原因", "an adjustment needs a note that says why"),
    "seats_incomplete": (
        "在桌的每個人都要有一個座位",
        "在桌的每个人都要有一个座位",
        "every player who is here needs one seat",
    ),
    "seated_twice": ("有人坐了兩個位子", "有人坐了两个位子", "somebody sits twice"),
    "dealer_away": ("莊家不在桌上", "庄家不在桌上", "the dealer is not at the table"),
    "did_not_play": (
        "贏家和放銃的人要在這一局的座位上",
        "赢家和放铳的人要在这一局的座位上",
        "who won or discarded did not play this round",
    ),
    "from_oneself": ("贏家不能自己放銃", "赢家不能自己放铳", "nobody wins from themselves"),
    "bad_options": ("玩法選項不對", "玩法选项不对", "the options are not names with plain values"),
    "bad_score": (
        "算出來的牌不完整：{field}",
        "算出来的牌不完整：{field}",
        "the scored hand is not whole: {field}",
    ),
    "no_win": (
        "這手牌沒有胡，不能記成胡牌",
        "这手牌没有胡，不能记成胡牌",
        "this hand does not win, so there is nothing to write down",
    ),
    "bad_photo": (
        "照片太大或格式不對，最多 {limit} 位元組",
        "照片太大或格式不对，最多 {limit} 字节",
        "the photo is too large or of an unknown type, at most {limit} bytes",
    ),
    "too_many_players": (
        "一桌最多 {limit} 個玩家",
        "一桌最多 {limit} 个玩家",
        "a table has at most {limit} players",
    ),
    "too_many_seats": (
        "一局最多 {limit} 個座位",
        "一局最多 {limit} 个座位",
        "a round has at most {limit} seats",
    ),
    "too_many_entries": (
        "一桌的帳最多 {limit} 筆",
        "一桌的账最多 {limit} 笔",
        "a ledger has at most {limit} entries",
    ),
    "too_many_versions": (
        "一筆帳最多改 {limit} 次",
        "一笔账最多改 {limit} 次",
        "an entry has at most {limit} versions",
    ),
    "too_many_photos": (
        "一桌最多存 {limit} 張照片",
        "一桌最多存 {limit} 张照片",
        "a table keeps at most {limit} photos",
    ),
    "too_many_photo_bytes": (
        "一桌最多存 {limit} MB 的照片",
        "一桌最多存 {limit} MB 的照片",
        "a table keeps at most {limit} MB of photos",
    ),
    "nothing_to_undo": ("沒有可以撤銷的", "没有可以撤销的", "there is nothing to undo"),
    "already_struck": (
        "第 {number} 筆已經劃掉",
        "第 {number} 笔已经划掉",
        "entry {number} is struck out already",
    ),
    "nothing_owed": ("已經兩清", "已经两清", "nobody owes anything"),
    "key_reused": (
        "這個請求編號已經用在別的內容上",
        "这个请求编号已经用在别的内容上",
        "this idempotency key was used for something else",
    ),
    "changed_meanwhile": (
        "帳剛被別人改過，請看過再做一次",
        "账刚被别人改过，请看过再做一次",
        "somebody changed the ledger meanwhile: look at it and do it again",
    ),
    "bad_key": (
        "請求編號要是 8 到 128 個字母、數字或 . _ ~ -",
        "请求编号要是 8 到 128 个字母、数字或 . _ ~ -",
        "an idempotency key is 8 to 128 letters, digits or . _ ~ -",
    ),
    "busy": ("帳本正忙，請再試一次", "账本正忙，请再试一次", "the ledger is busy, try again"),
    "no_backup": (
        "這不是算胡的備份檔",
        "这不是算胡的备份文件",
        "this is no backup of a suanhu ledger",
    ),
    "newer_backup": (
        "備份檔是較新的版本寫的",
        "备份文件是较新的版本写的",
        "the backup was written by a newer version",
    ),
    "damaged_backup": (
        "備份檔不完整或被改過：{name}",
        "备份文件不完整或被改过：{name}",
        "the backup is damaged or was changed: {name}",
    ),
    "large_backup": ("備份檔太大", "备份文件太大", "the backup is too large"),
    "diverged": (
        "備份和現有的帳對不上（桌 {table}）",
        "备份和现有的账对不上（桌 {table}）",
        "the backup and the ledger differ in table {table}",
    ),
    "bad_events": ("帳本壞了：{reason}", "账本坏了：{reason}", "the ledger is damaged: {reason}"),
    "newer_schema": (
        "帳本是較新的版本寫的（{version}）",
        "账本是较新的版本写的（{version}）",
        "the ledger was written by a newer version ({version})",
    ),
    "unreadable_file": (
        "打不開帳本：{reason}",
        "打不开账本：{reason}",
        "the ledger cannot be opened: {reason}",
    ),
}
_LANGUAGES = ("zh-Hant", "zh-Hans", "en")


class LedgerError(ValueError):
    """Something that the ledger does not take; `str` is one line of English.

    Attributes:
        code: Which fault it is, stable, for programs.
        values: What the text names.
    """

    def __init__(self, code: str, **values: object) -> None:
        """Makes the error whose text stands under `code`."""
        self.code = code
        self.values = values
        super().__init__(self.text("en"))

    def text(self, lang: str) -> str:
        """The one-line message in `zh-Hant`, `zh-Hans` or `en` (any other reads as `en`)."""
        column = _LANGUAGES.index(lang) if lang in _LANGUAGES else 2
        return _TEXTS[self.code][column].format(**self.values)


class UnknownTableError(LedgerError):
    """No table has this id."""


class UnknownPlayerError(LedgerError):
    """No player of this table has this id."""


class UnknownEntryError(LedgerError):
    """The ledger of this table has no entry of this number."""


class UnknownPhotoError(LedgerError):
    """The photo was never kept, or was taken out again."""


class PlayerError(LedgerError):
    """A player who is at the table already, has left it, or sits where nobody can."""


class EntryError(LedgerError):
    """A round, adjustment or setting that cannot be written down as it is."""


class LimitError(LedgerError):
    """More than a table holds."""


class NothingToUndoError(LedgerError):
    """Nothing is left that could be undone, struck out or settled."""


class KeyReusedError(LedgerError):
    """An idempotency key came back with another content."""


class ChangedError(LedgerError):
    """The ledger is no more what the one who wishes has seen."""


class BusyError(LedgerError):
    """Others wrote to the table again and again; trying later helps."""


class BackupError(LedgerError):
    """A backup that cannot be read, or contradicts what is there."""


class SchemaError(LedgerError):
    """A ledger file of a newer program, or one that is damaged."""
