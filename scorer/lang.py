"""The three languages of reports and errors.

Texts are written in traditional Chinese and in English; simplified Chinese is made from the traditional
by character, which for the words of this game is exact.
"""

from __future__ import annotations

from functools import cache

from scorer.texts import TEXTS

LANGS = ("zh-Hant", "zh-Hans", "en")

_TRADITIONAL = (
    "禮爾祿壽賴撿觀統開頭個須紅綠計數點張種規則選項預設來經過對兩單雙連結門線場戰擇員閒莊輪輸贏這裡還"
    "沒應當從後見問間關閉時會說話讀錄認識別組總實際顯處據資訊號碼壓鏡攝攜帶離換補給絕變圓圖畫網頁務載"
    "儲歷歸盡夠麼樣無為與並產業東車馬鳥魚齊龍龜寫買賣質費貼賬帳賭賠賺贈報導島帥師幣幫廠廣廳弒彎彈徑復"
    "徵憑懶戲戶掛採損搶擊擋擴擺敗敵斷昇曆術機殺雜權條標樹橋歡歲殘毀氣漢滿漁濕灣災爭爐爺狀獨獲獎現環瓊"
    "甌畢癒發皺盤眾睜瞭確禍積稱穩窮竊競筆節範築簡簽籤類糧紀約納純紙級細終絡絲維緊緒緩編縣縱績織繞繩繪"
    "繼續罰羅義習聖聞聯聲聽職肅腦腳膽臉臨舉舊艙艱艷藝蘇蘭虛蟲裝製複視覺觸訂討訓記訪證評詞試詩詳語誤請"
    "論譯議護讓貝負責貨貪貫貴購賓賢賽贊趕跡軍軟較輔輕輛輝輯辦辭邊遙適遺鄰鄉釋鈕針錢錯鍵鎖鐘鐵鑰長閃閱"
    "陽陰陣階隊隨險隱隻難電霧靈靜頂順頻題額顏願顧飛飯飲館驗驚體髮鬥鬧鮮麗齣龐傳債傷僅價億優兒內兌凍劃"
    "剛創劇劑勁動勝勞勢勵區協卻參吳啟嗎嘆嘗圍園團執堅塊墊墻壞壯夢夥夾奪奮婦媽學寧審寬寶專將尋屬層岡嶺"
    "幾庫廢強彙徹恆悅悶惡惱愛慮慶憂憶懷戀擔擁擬擾攔攤攪敘斂暈暫曉極構槍樂樓檔檢欄殼毆決況洩淚淨測減渦"
    "湊準溝溫滅滯漲潔潛潤澀澤濟濫濾瀏烏煙煩熱燈燒營爛牆牽猶獻瑣瑪異療盜監盧睏瞞礎祕禦稅穀穫竄竅筍簾籌"
    "籃籠糾紋紐紗紛紹紮綁綜綢緣緯縫縮繳纏罷羈翹聳聰脅脫腫臟臺莖華萬葉著蒼蓋蓮薦藍藥蘿蝦蝕蠟襲覽訝許診"
    "註詐詢該誇誌誘誰調談諒諸諾謀謎謝謹譜譽讚豎豐貓貢貧販貸貿賀賃賄賊賒賞賤賦贖躍軌軒輩輻轄轉轎轟辯農"
    "遞遠遷遲邁郵鄭醜醫釘釣鈔鈴鉛銀銅銷鋒鋪鋼錦鎮鏈鐮鑑閏閑閣闊闖隕雖雞韓響頓頗領頸頹颱飄飢餅餓餘餵駁"
    "駐駕騎騙騰騷驅驟鬆魯鯨鴨鵝鹽麥黃齒齡涼畝攏兇衝槓銃啞牠於甚慣掃灘桿態裏荊備刪趙沖錶"
)
_SIMPLIFIED = (
    "礼尔禄寿赖捡观统开头个须红绿计数点张种规则选项预设来经过对两单双连结门线场战择员闲庄轮输赢这里还"
    "没应当从后见问间关闭时会说话读录认识别组总实际显处据资讯号码压镜摄携带离换补给绝变圆图画网页务载"
    "储历归尽够么样无为与并产业东车马鸟鱼齐龙龟写买卖质费贴账帐赌赔赚赠报导岛帅师币帮厂广厅弑弯弹径复"
    "征凭懒戏户挂采损抢击挡扩摆败敌断升历术机杀杂权条标树桥欢岁残毁气汉满渔湿湾灾争炉爷状独获奖现环琼"
    "瓯毕愈发皱盘众睁了确祸积称稳穷窃竞笔节范筑简签签类粮纪约纳纯纸级细终络丝维紧绪缓编县纵绩织绕绳绘"
    "继续罚罗义习圣闻联声听职肃脑脚胆脸临举旧舱艰艳艺苏兰虚虫装制复视觉触订讨训记访证评词试诗详语误请"
    "论译议护让贝负责货贪贯贵购宾贤赛赞赶迹军软较辅轻辆辉辑办辞边遥适遗邻乡释钮针钱错键锁钟铁钥长闪阅"
    "阳阴阵阶队随险隐只难电雾灵静顶顺频题额颜愿顾飞饭饮馆验惊体发斗闹鲜丽出庞传债伤仅价亿优儿内兑冻划"
    "刚创剧剂劲动胜劳势励区协却参吴启吗叹尝围园团执坚块垫墙坏壮梦伙夹夺奋妇妈学宁审宽宝专将寻属层冈岭"
    "几库废强汇彻恒悦闷恶恼爱虑庆忧忆怀恋担拥拟扰拦摊搅叙敛晕暂晓极构枪乐楼档检栏壳殴决况泄泪净测减涡"
    "凑准沟温灭滞涨洁潜润涩泽济滥滤浏乌烟烦热灯烧营烂墙牵犹献琐玛异疗盗监卢困瞒础秘御税谷获窜窍笋帘筹"
    "篮笼纠纹纽纱纷绍扎绑综绸缘纬缝缩缴缠罢羁翘耸聪胁脱肿脏台茎华万叶着苍盖莲荐蓝药萝虾蚀蜡袭览讶许诊"
    "注诈询该夸志诱谁调谈谅诸诺谋谜谢谨谱誉赞竖丰猫贡贫贩贷贸贺赁贿贼赊赏贱赋赎跃轨轩辈辐辖转轿轰辩农"
    "递远迁迟迈邮郑丑医钉钓钞铃铅银铜销锋铺钢锦镇链镰鉴闰闲阁阔闯陨虽鸡韩响顿颇领颈颓台飘饥饼饿余喂驳"
    "驻驾骑骗腾骚驱骤松鲁鲸鸭鹅盐麦黄齿龄凉亩拢凶冲杠铳哑它于什惯扫滩杆态里荆备删赵冲表"
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


def pick(lang: str, traditional: str, english: str) -> str:
    """Choose the text of a language from the two that are written."""
    if lang == "en":
        return english
    return simplify(traditional) if lang == "zh-Hans" else traditional


def say(lang: str, key: str, /, **parts: object) -> str:
    """Say a text of `scorer.texts` in a language.

    Args:
        lang: One of `LANGS`.
        key: The name of the text.
        parts: What is put into its places.

    Returns:
        The finished text.
    """
    traditional, english = TEXTS[key]
    if lang == "en":
        return english.format(**parts)
    text = traditional.format(**parts)
    return simplify(text) if lang == "zh-Hans" else text
