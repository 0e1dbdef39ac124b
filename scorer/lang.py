"""The three languages of reports and errors.

Texts are written in traditional Chinese and in English; simplified Chinese is made from the traditional
by character, which for the words of this game is exact. What a player typed, a name above all, is no text of
ours and stays as it is.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from scorer.texts import TEXTS

LANGS = ("zh-Hant", "zh-Hans", "en")

# The characters of the commoner half of Big5 that GB 2312 writes otherwise, most of them as OpenCC has them.
_TRADITIONAL = (
    "丟並亂亙亞佇佈佔併來侖侶侷係俠倀倆倉個們倖倫偉側偵偽傑傖傘備傢傭傯傳債傷傾僅僑僕僥僱價儀儂億儈儉儐儔"
    "儕儘償優儲儷儻儼兇兌兒兗內兩冊冑冪凍凜凱別刪則剋剎剛剝剴創剷劃劇劉劊劍劑勁動務勛勝勞勢勳勵勸勻匯匱區"
    "協卹卻厭厲參叢吳吶呂員唸問啞啟喚喪喫喬單喲嗆嗇嗎嗚嗶嘆嘍嘔嘖嘗嘩嘮嘯嘰噓噥噯噴噸噹嚀嚇嚐嚕嚥嚨嚮嚴嚶"
    "囀囁囂囈囌囑囪國圍園圓圖團執堅堊堝堯報場塊塋塒塗塚塢塵塹墊墜墮墳墻墾壇壎壓壘壙壞壟壢壩壯壺壽夠夢夥夾"
    "奐奧奩奪奮妝姍姦娛婁婦媧媼媽嫗嫵嫻嬈嬋嬌嬤嬪嬰嬸孃孫學孿宮寢實寧審寫寬寵寶將專尋對導尷屆屍屜屢層屨屬"
    "岡峴島峽崑崗崙崢嵐嶄嶇嶸嶺嶼嶽巒巔巖帥師帳帶幀幃幗幟幣幫幹幾庫廁廂廄廈廚廝廟廠廢廣廬廳弒弔張強彆彈彌"
    "彎彙彥彫彿後徑從徠復徵徹恆恥悅悵悶悽惡惱惻愛愜愴愷愾慄態慍慘慚慟慣慫慮慶慼慾憂憊憐憑憚憤憫憮憲憶懇應"
    "懍懣懲懶懷懸懺懼懾戀戰戲戶拋挾捨捫捲掃掄掙掛採揀揚換揮損搖搗搶摑摟摯摻撈撐撓撥撫撲撳撻撾撿擁擄擇擊擋"
    "擔據擠擬擰擱擲擴擷擺擻擾攆攏攔攙攜攝攣攤攪攬敗敘敵數斂斃斕斬斷於昇時晉晝暈暉暢暫曄曆曇曉曖曠曬書會朧"
    "朮東枴柵桿梔條梟棄棗棟棧棲楊楓楨業極榦榮構槍槓槨槳樁樂樅樑樓標樞樣樸樹樺橈橋機橢橫檔檜檢檣檯檳檸檻櫃"
    "櫓櫚櫛櫝櫥櫬櫻欄權欖欽歎歐歟歡歲歷歸歿殘殤殮殯殲殺殼毀毆氈氣氫氬氳氾汎汙決沒沖況洩洶浹涇涼淒淚淨淪淵"
    "淺渙減渦測渾湊湧湯準溝溫溼滄滅滌滬滯滲滷滾滿漁漢漣漬漲漸漿潑潔潛潤潯潰澀澆澗澠澤澱濁濃濕濘濛濟濤濫濰"
    "濱濺濾瀆瀉瀋瀏瀕瀘瀝瀟瀨瀰瀲瀾灑灘灣灤災為烏無煉煙煥煩煬熒熱熾燈燉燒燙燜營燦燬燭燴燻燼燾爍爐爛爭爺爾"
    "牆牘牠牽犖犛犢犧狀狹狽猙猶獄獅獎獨獰獲獵獷獸獺獻玀現琺琿瑣瑤瑩瑪璣璦環璽璿瓊瓏瓔瓚甌甕產甦畝畢畫異當"
    "疇疊痙痠瘋瘍瘓瘡瘧瘺療癆癒癘癟癡癢癥癩癬癮癱癲發皚皰皺盃盜盞盡監盤盧盪眾睏睜睞瞞瞭瞼矇矚矯硃硯碩確碼"
    "磚磧磯礎礙礦礪礫礬祕祿禍禎禦禪禮禱禿秈稅稈稜稟種稱穀穌積穎穡穢穩穫窩窪窮窯窺竄竅竇竊競筆筍筧箇箋箏節"
    "範築篤篩簍簑簞簡簣簫簽簾籃籌籟籠籤籬籮籲粵糝糞糧糰糾紀紂約紅紆紇紉紋納紐純紕紗紙級紛紜紡紮細紱紲紳紹"
    "紼絀終絃組絆結絕絛絞絡絢給絨統絲絳絹綁綏綑經綜綞綠綢綬維綰綱網綴綵綸綺綻綽綾綿緇緊緒緘緙線緝緞締緣編"
    "緩緬緯緲練緹緻縈縉縊縐縑縛縝縞縣縫縮縱縲縴縵縷縹總績繃繅繆繒織繕繚繞繡繩繪繫繭繳繹繼繽續纏纓纔纖纜缽"
    "罈罌罰罵罷羅羈羋羨義羶習翹聖聞聯聰聲聳聶職聽聾肅脅脈脣脩脫脹腎腦腫腳腸膚膠膩膽膾膿臉臍臏臘臚臟臥臨臺"
    "與興舉舊艙艦艱艷芻苧茲荊莊莖莢莧華菴萇萊萬萵葉著葦葷蒐蒞蒼蓀蓆蓋蓮蔔蔣蔥蔭蕩蕪蕭薊薑薔薦薩薺藍藝藥藪"
    "藹藺蘆蘇蘊蘋蘚蘭蘿處虛虜號虧蛻蜆蝕蝦蝨蝸螞螢螻蟈蟬蟯蟲蟻蠅蠍蠔蠟蠣蠱蠶蠻術衛衝袞裊裏補裝裡製複褲褸褻"
    "襖襠襤襪襬襯襲見規覓視覦親覬覲覺覽觀觴觸訂訃計訊訌討訐訓訕訖託記訛訝訟訣訥訪設許訴訶診註証詁詆詐詔評"
    "詛詞詠詢詣試詩詫詬詭詮詰話該詳詼誅誇誌認誑誕誘誚語誠誡誣誤誥誦誨說誰課誶誹誼調諂諄談諉請諍諒論諛諜諦"
    "諧諫諭諮諱諳諶諷諸諺諼諾謀謁謂謄謊謎謐謗謙講謝謠謨謫謬謹譁證譎譏識譙譚譜譟譫譯議譴護譽讀變讒讓讖讚讜"
    "豈豎豐豔豬貓貝貞負財貢貧貨販貪貫責貯貲貳貴貶買貸費貼貽貿賀賁賂賃賄賅資賈賊賑賒賓賜賞賠賡賢賣賤賦質賬"
    "賭賴賺賻購賽贅贈贊贍贏贓贖贗贛趕趙趨跡踐踴蹕蹟蹣蹤蹺躉躊躋躍躑躓躡躪軀車軋軌軍軒軔軛軟軸軻軼軾較載輊"
    "輒輓輔輕輛輜輝輞輟輥輦輩輪輯輳輸輻輾輿轂轄轅轉轍轎轔轟轡辦辭辮辯農迴逕這連週進遊運過達違遙遜遞遠適遲"
    "遷選遺遼邁還邇邊邏邐郵鄉鄒鄧鄭鄰鄴酈醃醜醞醫醬釀釁釅釋釐釗釘釙針釣釦釧釩釵鈉鈍鈐鈑鈔鈕鈞鈣鈴鈷鈸鈹鈽"
    "鈾鈿鉀鉅鉉鉍鉑鉗鉚鉛鉤鉸鉻銀銃銅銑銓銖銘銜銨銬銳銷銻銼鋁鋅鋇鋒鋤鋪鋰鋸鋼錄錐錕錘錙錚錠錢錦錨錫錮錯錳"
    "錶鍊鍋鍍鍔鍛鍥鍬鍰鍵鍾鎂鎊鎖鎘鎚鎢鎬鎮鎰鎳鏃鏈鏍鏑鏗鏘鏜鏝鏟鏡鏢鏤鏨鏽鐃鐘鐫鐮鐲鐳鐵鐸鐺鑄鑑鑒鑠鑣鑰"
    "鑲鑷鑼鑽鑾鑿長門閂閃閉開閎閏閑閒間閔閘閡閣閤閥閨閩閭閱閻闆闈闊闋闌闐闔闕闖關闡闢陘陝陞陣陰陳陸陽隊階"
    "隕際隨險隱隴隸隻雋雖雙雛雜雞離難雲電霑霧霽靂靄靈靜靦靨鞏鞦韁韃韆韉韋韌韓韜韻響頁頂頃項順須頊頌預頑頒"
    "頓頗領頜頡頤頭頰頷頸頹頻顆題額顎顏顓願顛類顥顧顫顯顰顱風颯颱颳颶颼飄飛飢飩飪飭飯飲飴飼飽飾餃餅餉養餌"
    "餒餓餘餚餛餞餡館餵餾餿饅饉饑饒饗饜饞馬馭馮馱馳馴駁駐駑駒駕駙駛駝駟駢駭駱駿騁騎騖騙騫騰騷騾驀驃驅驍驕"
    "驗驚驛驟驢驥驪骯髏髒體髖髮鬆鬍鬚鬢鬥鬧鬨鬱魎魘魚魯魷鮑鮪鮫鮭鮮鯀鯉鯊鯖鯛鯧鯨鯽鰍鰓鰥鰭鰱鰻鰾鱉鱔鱖鱗"
    "鱟鱷鱸鳥鳩鳳鳴鳶鴆鴉鴕鴛鴣鴦鴨鴻鴿鵑鵝鵠鵡鵪鵬鵲鶉鶯鶴鷂鷓鷗鷥鷹鷺鸚鸛鸞鹵鹹鹼鹽麗麥麩麵麼黃黌點黨黴"
    "黷鼕鼴齊齋齒齜齟齡齣齦齧齪齬齲齷龍龐龔龜"
)
_SIMPLIFIED = (
    "丢并乱亘亚伫布占并来仑侣局系侠伥俩仓个们幸伦伟侧侦伪杰伧伞备家佣偬传债伤倾仅侨仆侥雇价仪侬亿侩俭傧俦"
    "侪尽偿优储俪傥俨凶兑儿兖内两册胄幂冻凛凯别删则克刹刚剥剀创铲划剧刘刽剑剂劲动务勋胜劳势勋励劝匀汇匮区"
    "协恤却厌厉参丛吴呐吕员念问哑启唤丧吃乔单哟呛啬吗呜哔叹喽呕啧尝哗唠啸叽嘘哝嗳喷吨当咛吓尝噜咽咙向严嘤"
    "啭嗫嚣呓苏嘱囱国围园圆图团执坚垩埚尧报场块茔埘涂冢坞尘堑垫坠堕坟墙垦坛埙压垒圹坏垄坜坝壮壶寿够梦伙夹"
    "奂奥奁夺奋妆姗奸娱娄妇娲媪妈妪妩娴娆婵娇嬷嫔婴婶娘孙学孪宫寝实宁审写宽宠宝将专寻对导尴届尸屉屡层屦属"
    "冈岘岛峡昆岗仑峥岚崭岖嵘岭屿岳峦巅岩帅师帐带帧帏帼帜币帮干几库厕厢厩厦厨厮庙厂废广庐厅弑吊张强别弹弥"
    "弯汇彦雕佛后径从徕复征彻恒耻悦怅闷凄恶恼恻爱惬怆恺忾栗态愠惨惭恸惯怂虑庆戚欲忧惫怜凭惮愤悯怃宪忆恳应"
    "懔懑惩懒怀悬忏惧慑恋战戏户抛挟舍扪卷扫抡挣挂采拣扬换挥损摇捣抢掴搂挚掺捞撑挠拨抚扑揿挞挝捡拥掳择击挡"
    "担据挤拟拧搁掷扩撷摆擞扰撵拢拦搀携摄挛摊搅揽败叙敌数敛毙斓斩断于升时晋昼晕晖畅暂晔历昙晓暧旷晒书会胧"
    "术东拐栅杆栀条枭弃枣栋栈栖杨枫桢业极干荣构枪杠椁桨桩乐枞梁楼标枢样朴树桦桡桥机椭横档桧检樯台槟柠槛柜"
    "橹榈栉椟橱榇樱栏权榄钦叹欧欤欢岁历归殁残殇殓殡歼杀壳毁殴毡气氢氩氲泛泛污决没冲况泄汹浃泾凉凄泪净沦渊"
    "浅涣减涡测浑凑涌汤准沟温湿沧灭涤沪滞渗卤滚满渔汉涟渍涨渐浆泼洁潜润浔溃涩浇涧渑泽淀浊浓湿泞蒙济涛滥潍"
    "滨溅滤渎泻沈浏濒泸沥潇濑弥潋澜洒滩湾滦灾为乌无炼烟焕烦炀荧热炽灯炖烧烫焖营灿毁烛烩熏烬焘烁炉烂争爷尔"
    "墙牍它牵荦牦犊牺状狭狈狰犹狱狮奖独狞获猎犷兽獭献猡现珐珲琐瑶莹玛玑瑷环玺璇琼珑璎瓒瓯瓮产苏亩毕画异当"
    "畴叠痉酸疯疡痪疮疟瘘疗痨愈疠瘪痴痒症癞癣瘾瘫癫发皑疱皱杯盗盏尽监盘卢荡众困睁睐瞒了睑蒙瞩矫朱砚硕确码"
    "砖碛矶础碍矿砺砾矾秘禄祸祯御禅礼祷秃籼税秆棱禀种称谷稣积颖穑秽稳获窝洼穷窑窥窜窍窦窃竞笔笋笕个笺筝节"
    "范筑笃筛篓蓑箪简篑箫签帘篮筹籁笼签篱箩吁粤糁粪粮团纠纪纣约红纡纥纫纹纳纽纯纰纱纸级纷纭纺扎细绂绁绅绍"
    "绋绌终弦组绊结绝绦绞络绚给绒统丝绛绢绑绥捆经综缍绿绸绶维绾纲网缀彩纶绮绽绰绫绵缁紧绪缄缂线缉缎缔缘编"
    "缓缅纬缈练缇致萦缙缢绉缣缚缜缟县缝缩纵缧纤缦缕缥总绩绷缫缪缯织缮缭绕绣绳绘系茧缴绎继缤续缠缨才纤缆钵"
    "坛罂罚骂罢罗羁芈羡义膻习翘圣闻联聪声耸聂职听聋肃胁脉唇修脱胀肾脑肿脚肠肤胶腻胆脍脓脸脐膑腊胪脏卧临台"
    "与兴举旧舱舰艰艳刍苎兹荆庄茎荚苋华庵苌莱万莴叶着苇荤搜莅苍荪席盖莲卜蒋葱荫荡芜萧蓟姜蔷荐萨荠蓝艺药薮"
    "蔼蔺芦苏蕴苹藓兰萝处虚虏号亏蜕蚬蚀虾虱蜗蚂萤蝼蝈蝉蛲虫蚁蝇蝎蚝蜡蛎蛊蚕蛮术卫冲衮袅里补装里制复裤褛亵"
    "袄裆褴袜摆衬袭见规觅视觎亲觊觐觉览观觞触订讣计讯讧讨讦训讪讫托记讹讶讼诀讷访设许诉诃诊注证诂诋诈诏评"
    "诅词咏询诣试诗诧诟诡诠诘话该详诙诛夸志认诳诞诱诮语诚诫诬误诰诵诲说谁课谇诽谊调谄谆谈诿请诤谅论谀谍谛"
    "谐谏谕咨讳谙谌讽诸谚谖诺谋谒谓誊谎谜谧谤谦讲谢谣谟谪谬谨哗证谲讥识谯谭谱噪谵译议谴护誉读变谗让谶赞谠"
    "岂竖丰艳猪猫贝贞负财贡贫货贩贪贯责贮赀贰贵贬买贷费贴贻贸贺贲赂赁贿赅资贾贼赈赊宾赐赏赔赓贤卖贱赋质账"
    "赌赖赚赙购赛赘赠赞赡赢赃赎赝赣赶赵趋迹践踊跸迹蹒踪跷趸踌跻跃踯踬蹑躏躯车轧轨军轩轫轭软轴轲轶轼较载轾"
    "辄挽辅轻辆辎辉辋辍辊辇辈轮辑辏输辐辗舆毂辖辕转辙轿辚轰辔办辞辫辩农回迳这连周进游运过达违遥逊递远适迟"
    "迁选遗辽迈还迩边逻逦邮乡邹邓郑邻邺郦腌丑酝医酱酿衅酽释厘钊钉钋针钓扣钏钒钗钠钝钤钣钞钮钧钙铃钴钹铍钸"
    "铀钿钾巨铉铋铂钳铆铅钩铰铬银铳铜铣铨铢铭衔铵铐锐销锑锉铝锌钡锋锄铺锂锯钢录锥锟锤锱铮锭钱锦锚锡锢错锰"
    "表炼锅镀锷锻锲锹锾键钟镁镑锁镉锤钨镐镇镒镍镞链镙镝铿锵镗镘铲镜镖镂錾锈铙钟镌镰镯镭铁铎铛铸鉴鉴铄镳钥"
    "镶镊锣钻銮凿长门闩闪闭开闳闰闲闲间闵闸阂阁合阀闺闽闾阅阎板闱阔阕阑阗阖阙闯关阐辟陉陕升阵阴陈陆阳队阶"
    "陨际随险隐陇隶只隽虽双雏杂鸡离难云电沾雾霁雳霭灵静腼靥巩秋缰鞑千鞯韦韧韩韬韵响页顶顷项顺须顼颂预顽颁"
    "顿颇领颌颉颐头颊颔颈颓频颗题额颚颜颛愿颠类颢顾颤显颦颅风飒台刮飓飕飘飞饥饨饪饬饭饮饴饲饱饰饺饼饷养饵"
    "馁饿余肴馄饯馅馆喂馏馊馒馑饥饶飨餍馋马驭冯驮驰驯驳驻驽驹驾驸驶驼驷骈骇骆骏骋骑骛骗骞腾骚骡蓦骠驱骁骄"
    "验惊驿骤驴骥骊肮髅脏体髋发松胡须鬓斗闹哄郁魉魇鱼鲁鱿鲍鲔鲛鲑鲜鲧鲤鲨鲭鲷鲳鲸鲫鳅鳃鳏鳍鲢鳗鳔鳖鳝鳜鳞"
    "鲎鳄鲈鸟鸠凤鸣鸢鸩鸦鸵鸳鸪鸯鸭鸿鸽鹃鹅鹄鹉鹌鹏鹊鹑莺鹤鹞鹧鸥鸶鹰鹭鹦鹳鸾卤咸碱盐丽麦麸面么黄黉点党霉"
    "黩冬鼹齐斋齿龇龃龄出龈啮龊龉龋龌龙庞龚龟"
)
_SIMPLE = str.maketrans(dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)))


@cache
def simplify(text: str) -> str:
    """Turn traditional Chinese into simplified, character by character.

    Args:
        text: Any text; what is not traditional Chinese stays as it is.

    Returns:
        The text in simplified characters.

    Example:
        >>> simplify("觀生、開招、賴")
        '观生、开招、赖'
    """
    return text.translate(_SIMPLE)


def check_language(lang: str) -> None:
    """Refuse a language that the product does not speak.

    Raises:
        LanguageError: it is none of `LANGS`.
    """
    if lang not in LANGS:
        from scorer.errors import LanguageError

        raise LanguageError("language", lang=lang, known=", ".join(LANGS))


class Phrase(NamedTuple):
    """A part of a text that is itself to be said in a language."""

    traditional: str
    english: str


def local(lang: str, words: str) -> str:
    """Write words of the game, which are kept in traditional Chinese, in the script of a language.

    Example:
        >>> local("zh-Hans", "統上頂"), local("en", "統上頂")
        ('统上顶', '統上頂')
    """
    return simplify(words) if lang == "zh-Hans" else words


def pick(lang: str, traditional: str, english: str) -> str:
    """Choose the text of a language from the two that are written."""
    return english if lang == "en" else local(lang, traditional)


def say(lang: str, key: str, /, **parts: object) -> str:
    """Say a text of `scorer.texts` in a language.

    Args:
        lang: One of `LANGS`.
        key: The name of the text.
        parts: What is put into its places, words of the game in traditional Chinese.

    Returns:
        The finished text.
    """
    traditional, english = TEXTS[key]
    return english.format(**parts) if lang == "en" else local(lang, traditional.format(**parts))


def quote(lang: str, key: str, /, **parts: object) -> str:
    """Say a text of `scorer.texts` that quotes what somebody typed, which stays as it is.

    Args:
        lang: One of `LANGS`.
        key: The name of the text.
        parts: What is put into its places; a `Phrase` is said in the language.

    Returns:
        The finished text.

    Example:
        >>> quote("zh-Hans", "error.unknown_rule", rule="陳家規", known="sanjing")
        '没有叫「陳家規」的规则，现有：sanjing'
    """
    said = {name: pick(lang, *part) if isinstance(part, Phrase) else part for name, part in parts.items()}
    return pick(lang, *TEXTS[key]).format(**said)
