"""Every text of the app, in traditional Chinese and in English; simplified is made by character."""

from __future__ import annotations

from typing import Final

from scorer.lang import pick

__all__ = ["WORDS", "capital", "card_name", "pick", "words"]

WORDS: Final[dict[str, tuple[str, str]]] = {
    "yes": ("是", "Yes"),
    "no": ("否", "No"),
    "and": ("；", "; "),
    "comma": ("、", ", "),
    "points": ("胡", "points"),
    "step": ("分", "steps"),
    "step.one": ("分", "step"),
    "zoom": ("放大", "Zoom"),
    "wrong": ("出了點問題，沒有做成", "Something went wrong; it was not done"),
    "saved": ("已存到 {where}", "Saved to {where}"),
    # The first page.
    "home.title": ("算胡", "Suanhu"),
    "home.no_rule": ("先選你們這桌的規則。", "First choose your table's rule."),
    "home.choose_rule": ("選規則", "Choose the rule"),
    "home.table": ("{players} 人　每{unit} {stake}", "{players} players, {stake} a step"),
    "home.change": ("改規則、人數、注", "Change rule, players, stake"),
    "home.ledger": ("今晚的帳", "Ledger"),
    "home.teach": ("學打牌", "Learn"),
    "home.decks": ("牌", "Decks"),
    "home.settings": ("設定", "Settings"),
    "home.continue": ("接著上一手", "Go on with the last hand"),
    "home.restored": (
        "上一手還沒記下，牌都還在（照片不留）",
        "The last hand was not written down yet: its cards are still here, the photo is not kept",
    ),
    "home.photo": ("拍照算胡", "Photograph a hand"),
    # The rule and the table.
    "rule.title": ("打哪種花牌？", "Which game?"),
    "rule.about": ("{cards} 張　{players} 人", "{cards} cards, {players} players"),
    "table.title": ("這桌的規則", "Your table"),
    "table.players": ("幾個人打？", "How many play?"),
    "table.names": ("怎麼稱呼？點名字可改", "Names; tap one to change it"),
    "table.stake": ("每{unit}多少？", "What is a step worth?"),
    "table.done": ("就這樣打", "Play like this"),
    "name.title": ("叫什麼？", "Which name?"),
    "name.seats": ("按座位", "By seat"),
    "name.colours": ("按顏色", "By colour"),
    "name.surnames": ("按姓", "By surname"),
    "name.type": ("打字輸入", "Type it"),
    # The values of options.
    "value.true": ("是", "Yes"),
    "value.false": ("否", "No"),
    "value.most_held": ("張數最多的", "The one most held"),
    "value.best": ("任選最好的", "The best"),
    "value.exposed": ("算桌面", "Exposed"),
    "value.concealed": ("算在手", "Concealed"),
    "value.less": ("少算", "Less"),
    "value.as_kan": ("照坎算", "As in hand"),
    "value.standard": ("3／10／2 倍", "3 / 10 / 2"),
    "value.high": ("10／50／10 倍", "10 / 50 / 10"),
    "value.max": ("取大的", "The larger"),
    "value.product": ("相乘", "Multiplied"),
    "value.eight_groups": ("八組", "Eight groups"),
    "value.six_and_half": ("六句半", "Six and a half"),
    "value.by_7": ("每 7 進一", "By 7"),
    "value.by_5_from_17": ("17 起每 5 進一", "By 5 from 17"),
    "value.highest": ("取最高", "The highest"),
    "value.sum": ("相加", "Added up"),
    # The photo.
    "photo.title": ("拍照", "Photo"),
    "photo.lay": ("把牌攤開，每張露出一頭的字。", "Spread the cards so that one end of each shows."),
    "photo.apart": (
        "桌面的組和胡的那張，放開一點。",
        "Keep what lay on the table, and the winning card, a little apart.",
    ),
    "photo.light": (
        "光要亮，手機拿正，整手牌都照到。",
        "Good light, straight from above, all cards in the picture.",
    ),
    "photo.take": ("拍照", "Take a photo"),
    "photo.choose": ("選一張照片", "Choose a photo"),
    "photo.other_kind": (
        "{rule}用 {cards} 張牌，照片裡是「{deck}」，{found} 張的牌。換一種玩法，或拍另一副牌。",
        (
            "{rule} is played with {cards} cards; the photo shows {deck}, a deck of {found}. "
            "Change the rule, or photograph another deck."
        ),
    ),
    "photo.enter": ("不拍照，點牌輸入", "No photo: tap the cards in"),
    "files.title": ("選檔案", "Choose a file"),
    "files.none": ("這裡沒有可用的檔案。", "There is nothing here to choose."),
    "files.closed": ("打不開這個資料夾。", "This folder cannot be opened."),
    "reading.title": ("讀牌", "Reading"),
    "reading.decode": ("打開照片……", "Opening the photo…"),
    "reading.look": ("看光線和清楚不清楚……", "Looking at light and focus…"),
    "reading.find": ("找牌……", "Finding the cards…"),
    "reading.name": ("認字……", "Naming the cards…"),
    "reading.decide": ("核對張數……", "Checking the copies…"),
    "reading.done": ("好了", "Done"),
    "reading.stop": ("停", "Stop"),
    "problem.dark": ("照片太暗：開燈，或移到亮處再拍。", "Too dark: switch a light on and take it again."),
    "problem.blurred": (
        "照片糊了：手機拿穩，等對好焦再拍。",
        "Blurred: hold still, let it focus, and take it again.",
    ),
    "problem.far": (
        "離太遠，字和花太小：靠近一點，讓牌占滿照片。",
        "Too far away, the print is too small: go closer until the cards fill the picture.",
    ),
    "poor.title": ("先別讀", "Wait"),
    "poor.again": ("再拍一張", "Another photo"),
    "poor.anyway": ("照樣讀這張", "Read this one anyway"),
    # Review.
    "review.title": ("對一對牌", "Check the cards"),
    "review.count": ("共 {count} 張", "{count} cards"),
    "review.unsure": ("{count} 處認不準，點它", "{count} unsure: tap them"),
    "review.sure": ("都認準了，點牌可改", "All sure; tap to correct"),
    "review.nothing": ("照片裡沒有看到牌。", "No cards were found in the photo."),
    "review.unknown_deck": (
        "這副牌我還不認識：先教它，一分鐘就好。",
        "This deck is not known yet: teach it first, it takes a minute.",
    ),
    "review.learn_deck": ("教這副牌", "Teach this deck"),
    "review.add": ("加牌", "Add"),
    "review.out": ("去牌", "Leave out"),
    "review.more": ("再拍", "More"),
    "review.undo": ("退一步", "Undo"),
    "review.out_how": ("點不要的牌，或拖框", "Tap, or draw a frame"),
    "review.heap": ("整堆", "Heaps"),
    "review.next": ("對了，下一步", "Right, go on"),
    "correct.title": ("這張是什麼？", "Which card is it?"),
    "correct.is_it": ("讀成這張。不對就改：", "It was read as this. If not:"),
    "correct.which": ("認不準。是哪一張？", "Not sure. Which one is it?"),
    "correct.keyboard": ("都不是？在這裡點：", "None of these? Tap it here:"),
    "correct.no_card": ("這裡沒有牌", "No card here"),
    "correct.leave_out": ("這張不算，去掉", "Leave this card out"),
    "correct.leave_out_group": ("這一堆 {count} 張都去掉", "Leave out all {count} that lie together"),
    "correct.take_back": ("這張要算，放回", "Take this card back in"),
    "correct.picked": ("這張是撿來的", "It was picked up (撿)"),
    "correct.not_picked": ("這張不是撿來的", "It was not picked up"),
    "correct.doubt.covered": ("這裡有一張被蓋住了。", "A card is covered here."),
    "correct.doubt.unreadable": ("這裡有一張看不清。", "A card cannot be read here."),
    "correct.doubt.cut_off": ("這裡有一張沒照全。", "A card is cut off here."),
    # On the table, the winning card, who.
    "laid.title": ("哪些先在桌面？", "On the table?"),
    "laid.how": (
        "點先前擺在桌面的牌，一組一組地點；也可以拖框。",
        "Tap what lay on the table, one group after another, or draw a frame.",
    ),
    "laid.group": ("這幾張是一組", "These are one group"),
    "laid.next": ("下一步：胡哪張", "Next: the winning card"),
    "laid.advice": ("下一步：聽什麼", "Next: the advice"),
    "laid.none": ("桌面沒有，下一步", "Nothing lay there, go on"),
    "laid.back": ("拿回", "Back"),
    "laid.declared": ("手裡的", "From the hand"),
    "laid.picked_up": ("別人的", "With a discard"),
    "laid.guess": ("看擺法，{what}。對嗎？", "As they lie, {what}. Right?"),
    "laid.guess_groups": ("桌面是 {groups}", "{groups} lay on the table"),
    "laid.guess_win": ("胡的是 {card}", "{card} won"),
    "laid.agree": ("對", "Right"),
    "win.title": ("胡的是哪張？", "The winning card?"),
    "win.how": ("點胡的那一張。", "Tap the card that won."),
    "win.is": ("胡 {card}", "Won with {card}"),
    "win.next": ("下一步：誰胡", "Next: who won"),
    "win.skip": ("不知道，下一步", "Not known, go on"),
    "who.title": ("誰胡了？", "Who won?"),
    "who.dealer": ("誰是莊家？", "Who deals?"),
    "who.rests": ("{name} 休息", "{name} rests"),
    "who.winner": ("誰胡？", "Who won?"),
    "who.from": ("牌從哪來？", "Where did the card come from?"),
    "who.self": ("自己摸的", "Drew it"),
    "who.by": ("{name} 打的", "{name} discarded it"),
    "who.dui": ("輸家桌面有幾對？（三對以上要包）", "How many 對 did the losers expose? (Three pay for all)"),
    "who.count": ("算！", "Count it"),
    # The result.
    "result.title": ("結果", "Result"),
    "result.no_win": ("不胡", "No win"),
    "result.no_win_short": ("不胡", "no win"),
    "result.unsettled": (
        "還沒定：有認不準的牌會改變輸贏。先答這一題：",
        "Not settled: unsure cards would change who pays what. Answer this first:",
    ),
    "result.unsettled_all": (
        "還沒定：認不準的牌太多，先回去對一對牌。",
        "Not settled: too many cards are unsure. Go back and check the cards first.",
    ),
    "result.too_few": (
        "少 {count} 張：是漏了牌，還是少算了一張？回去對一對。",
        "{count} missing: is a card overlooked? Go back and check the cards.",
    ),
    "result.too_many": (
        "多 {count} 張：有不是這手的牌嗎？回去對一對。",
        "{count} too many: do some not belong to the hand? Go back and check the cards.",
    ),
    "result.which": (
        "這張是哪一張？箭頭後是算出的數。",
        "Which card is it? After the arrow: what it counts then.",
    ),
    "result.which_doubt": ("看不清的地方是哪一張？", "Which card lies where none could be read?"),
    "result.other": ("都不是，另外選", "None of these"),
    "result.pays": ("{payer} 付給 {payee}", "{payer} pays {payee}"),
    "result.spoken_pays": ("{payer}付給{payee}{amount}", "{payer} pays {payee} {amount}"),
    "result.on_table": ("（桌面）", ", on the table"),
    "result.main_jing": ("主精：{card}", "Main jing: {card}"),
    "result.next_best": ("另一種拆法只有 {points}：{split}", "The next best split gives {points}: {split}"),
    "result.share": ("傳單據", "Share the slip"),
    "result.speak": ("讀出來", "Read aloud"),
    "result.confirm": ("記帳", "Into the ledger"),
    "result.confirm_unsettled": ("就按這樣記帳", "Into the ledger as it is"),
    "result.correct": ("回去改牌", "Back to the cards"),
    "slip.with_photo": ("單據上有照片（點一下不放）", "The photo is on the slip (tap: leave it off)"),
    "slip.without_photo": ("單據上沒有照片（點一下放上）", "No photo on the slip (tap: put it on)"),
    "basis.practice": ("（慣例）", " (common practice)"),
    "basis.option": ("（本桌選項）", " (this table's option)"),
    "result.counting": ("算牌……", "Counting…"),
    "result.argue": ("有人算的不一樣？", "Does somebody count otherwise?"),
    "result.false_claim": (
        "若已報胡，便是詐和：{name} 賠{others}各 {amount}。",
        "If it was declared, it is a false claim: {name} pays {amount} each to {others}.",
    ),
    "result.book_claim": ("詐和記帳", "Write the false claim down"),
    "result.claim_note": ("詐和", "false claim"),
    # The argument.
    "argue.title": ("他說多少？", "Their count?"),
    "argue.how": ("別人算出多少？", "What do they count?"),
    "argue.compare": ("比一比", "Compare"),
    "argue.found": ("差在哪裡", "Where you part"),
    "argue.looking": ("找差在哪裡……", "Looking for where you part…"),
    "argue.theirs": ("他說", "They say"),
    "argue.ours": ("這裡", "Here"),
    "argue.right": ("一樣，他說得對。", "The same: they are right."),
    "argue.setting": ("{meaning}：{value}", "{meaning}: {value}"),
    "argue.option": ("若是「{settings}」，便是 {claim}。", "With “{settings}” it is {claim}."),
    "argue.take": ("我們桌就這樣打", "Our table plays so"),
    "argue.nothing": (
        "換規則、換拆法、數錯一組，都得不出這個數。",
        "No option, no split and no single miscounted group gives that number.",
    ),
    "argue.no_group": ("沒有", "none"),
    "argue.back": ("回到結果", "Back to the result"),
    # The ledger.
    "ledger.title": ("今晚的帳", "Ledger"),
    "ledger.empty": ("還沒有記帳。", "Nothing is written yet."),
    "ledger.written": ("記好了", "Written down"),
    "ledger.drawn": ("這局流局", "Nobody won this round"),
    "ledger.undo": ("撤回最後一筆", "Take the last line back"),
    "ledger.undone": ("已撤回", "taken back"),
    "ledger.won": ("{name} 胡 {points} {unit}", "{name} won, {points} {unit}"),
    "ledger.kind.scored": ("胡牌", "Win"),
    "ledger.kind.drawn": ("流局", "Nobody won"),
    "ledger.kind.by_hand": ("手記", "By hand"),
    "ledger.kind.adjustment": ("調整", "Adjustment"),
    "ledger.kind.settlement": ("結清", "Settled"),
    "ledger.owes": ("{payer} 該給 {payee} {amount}", "{payer} owes {payee} {amount}"),
    "ledger.settle": ("結帳", "Settle"),
    "ledger.csv": ("存成表格", "Save as table"),
    "ledger.page": ("存成網頁", "Save as page"),
    "ledger.new": ("另開一晚", "Begin a new evening"),
    "settle.title": ("結帳", "Settle"),
    "settle.how": ("這樣付，就都清了：", "Pay this, and all is settled:"),
    "settle.done": ("都付清了", "All is paid"),
    # Learning to play.
    "teach.title": ("學打牌", "Learn"),
    "teach.about": (
        "拍下手裡的牌：聽什麼、打哪張、為什麼。",
        "Photograph a hand in play: what it waits for, what to discard, and why.",
    ),
    "teach.photo": ("拍手裡的牌", "Photograph your hand"),
    "teach.enter": ("點牌輸入", "Tap the cards in"),
    "teach.course": ("從頭學", "A short course"),
    "enter.title": ("點牌輸入", "Tap the cards in"),
    "enter.count": ("{count} 張　點上面的牌去掉", "{count} cards; tap one above to remove it"),
    "enter.back": ("退一步", "Undo"),
    "enter.done": ("好了，下一步", "Done, go on"),
    "advice.looking": ("想一想……", "Thinking…"),
    "advice.title": ("聽什麼、打什麼", "Advice"),
    "advice.waits": ("等這些牌：", "It waits for:"),
    "advice.no_waits": ("還沒有聽牌。", "It does not wait for any card yet."),
    "advice.wait": ("能胡，{points} {unit}", "wins, {points} {unit}"),
    "advice.wait_short": ("湊得成，但只有 {points} {unit}", "complete, but only {points} {unit}"),
    "advice.left": ("還有 {left} 張", "{left} are left"),
    "advice.form": ("叫「{form}」", "called {form}"),
    "advice.discard": ("打 {card}", "Discard {card}"),
    "advice.then": (
        "之後等這些，共 {left} 張。下面是胡了算多少：",
        "then {left} cards complete it. Below each: what it counts",
    ),
    "advice.best": (
        "打 {card} 最好：之後有 {left} 張牌能胡，最多 {points} {unit}。",
        "Best discard {card}: then {left} cards win, with up to {points} {unit}.",
    ),
    "advice.more_cards": (
        "其次打 {card}，能胡的牌少些：{left} 張。",
        "Next best is {card}; fewer cards win then: {left}.",
    ),
    "advice.more_points": (
        "打 {card} 也有 {left} 張能胡，但合起來贏得少。",
        "With {card} {left} cards win too, but less is won with them.",
    ),
    "advice.as_good": ("打 {card} 也一樣好。", "Discarding {card} is just as good."),
    "advice.only_short": (
        "打 {card} 就聽牌，可是湊成了也算不夠，胡不了。",
        "Discarding {card} leaves a wait, but the hand then counts too little to win.",
    ),
    "advice.far": ("還差得遠，打哪一張都聽不了。", "Still far off: no discard leaves a wait."),
    "advice.loosest": ("先打最孤的牌：", "Discard the loosest first:"),
    "advice.alone": ("再來哪一張，都不能讓它成一組。", "No other card would make a group with it."),
    "advice.loose": ("還有 {count} 張牌能讓它成一組。", "{count} cards would make a group with it."),
    "advice.too_few": (
        "差 {count} 張：聽牌要 {need} 張，該打牌時多一張。",
        "{count} too few: a waiting hand has {need} cards, one more before the discard.",
    ),
    "advice.too_many": (
        "多 {count} 張：聽牌要 {need} 張，該打牌時多一張。",
        "{count} too many: a waiting hand has {need} cards, one more before the discard.",
    ),
    "advice.table": ("桌面上有擺出去的牌？", "Do some lie on the table?"),
    "advice.on_table": ("桌面上：", "On the table:"),
    "advice.again": ("再問一手", "Ask about another hand"),
    "lesson.title": ("從頭學", "A short course"),
    "lesson.next": ("下一頁", "Next page"),
    "lesson.end": ("學完了", "Done"),
    "lesson.right": ("對！", "Right! "),
    "lesson.wrong": ("不對。", "No. "),
    # Decks.
    "decks.title": ("牌", "Decks"),
    "deck.kai": ("楷書", "Regular script"),
    "deck.song": ("宋體", "Song type"),
    "deck.hei": ("黑體", "Black type"),
    "deck.li": ("隸書", "Clerical script"),
    "deck.brush": ("行書", "Running script"),
    "decks.auto": ("看照片自己認", "Let the photo decide"),
    "decks.own": ("（自己的）", " (own)"),
    "decks.kind": ("{kind} 張的牌　{faces} 種牌面", "{kind} cards, {faces} faces"),
    "decks.show": ("看", "Show"),
    "decks.learn": ("教一副新牌", "Teach a new deck"),
    "decks.import": ("從檔案加入", "Add from a file"),
    "decks.imported": ("加入了「{name}」", "{name} was added"),
    "decks.export": ("存成檔案", "Save as a file"),
    "decks.delete": ("刪掉這副牌", "Delete this deck"),
    "decks.delete_sure": ("刪掉「{name}」？刪了就沒有了。", "Delete {name}? It cannot be brought back."),
    "decks.missing": ("還沒教過：{faces}", "Not taught yet: {faces}"),
    "sure.title": ("真的嗎？", "Sure?"),
    "sure.yes": ("刪掉", "Delete"),
    "sure.no": ("不刪", "Keep it"),
    "learn.title": ("教一副新牌", "Teach a new deck"),
    "learn.kind": ("這副牌有幾張？", "How many cards has it?"),
    "learn.kind.110": ("110 張　花牌、個子", "110 cards: 花牌, 個子"),
    "learn.kind.112": ("112 張　帶兩張賴子", "112 cards, two of them wild"),
    "learn.kind.96": ("96 張　上大人", "96 cards: 上大人"),
    "learn.name": ("這副牌叫什麼？", "What is it called?"),
    "learn.lay": (
        "從左到右、一行一行擺這 {count} 張，每種一張，不要疊，拍一張照。一次擺不下可以分幾次。",
        "Lay these {count} faces out from left to right, row by row, one of each, for a photo or several.",
    ),
    "learn.enough": ("就這些，存起來", "That is all, save it"),
    "learn.found": ("看看名字對不對", "Are the names right?"),
    "learn.all": (
        "找到 {count} 張，都齊了。點一張可改。",
        "{count} found, none is missing. Tap one to change it.",
    ),
    "learn.some": (
        "找到 {count} 張，還差：{faces}。點一張可改。",
        "{count} found; missing: {faces}. Tap one to change it.",
    ),
    "learn.again": ("重拍", "Again"),
    "learn.another": ("再拍其餘的", "The rest"),
    "learn.right": ("名字都對", "All names are right"),
    "learn.turned": ("照片是倒著的，從後面數起。", " The photo is upside down: counted from its end."),
    "learn.reverse": ("倒過來數", "Reverse"),
    "learn.only_this": ("只改這一張", "This card alone"),
    "learn.follow": ("後面的跟著順下去", "Those after it follow in order"),
    "learn.no_face": ("這不是牌面，去掉", "This is no face, leave it out"),
    "learn.save": ("存這副牌", "Save the deck"),
    "learn.has": ("{all} 種牌面，教了 {faces} 種。", "{faces} of {all} faces were taught."),
    "learn.save_it": ("存起來", "Save"),
    "learn.saved": ("學會了「{name}」", "{name} was learned"),
    # Settings.
    "options.title": ("設定", "Settings"),
    "options.language": ("語言", "Language"),
    "options.teach_deck": (
        "你改過的牌，讓它記住？（只存單張牌的小圖）",
        "Remember cards that you correct? (Only small pictures of single cards are kept)",
    ),
    "options.slip_photo": ("傳出去的單據上放照片？", "Put the photo onto slips that you share?"),
    "options.keep": ("備份帳本、牌和設定", "Backup of ledger, decks and settings"),
    "options.backup": ("備份到檔案", "Back up to a file"),
    "options.restore": ("從備份拿回", "Restore a backup"),
    "options.restored": ("都拿回來了", "Everything was restored"),
    "options.private": (
        "一切都在這台機器上算，不上網。照片不留。",
        "Everything runs on this machine, without the net. Photos are not kept.",
    ),
}
"""Key to the text in traditional Chinese and in English."""


def words(lang: str, key: str, /, **parts: object) -> str:
    """Say a text.

    Args:
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        key: of `WORDS`.
        **parts: what is put into its places.

    Returns:
        The text.
    """
    hant, en = WORDS[key]
    return pick(lang, hant, en).format(**parts)


def card_name(lang: str, card: str) -> str:
    """Write a card in the script of the reader.

    Args:
        lang: ``zh-Hant``, ``zh-Hans`` or ``en``.
        card: in the standard spelling; a wild may say what it stands for.

    Returns:
        The card as it is shown.
    """
    return pick(lang, card, card)


def capital(text: str) -> str:
    """Begin a text with a capital, where its script has any.

    Args:
        text: of a rule book or a report.

    Returns:
        The text as a sentence begins.
    """
    return text[:1].upper() + text[1:]
