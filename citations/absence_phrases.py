"""Phrases that say that sources lack something, in nine languages; see `gap_phrases`."""

ABSENCE_PHRASES: dict[str, dict[str, str | tuple[str, ...]]] = {
    "en": {
        "source": r"(?:sources?|pages?|documents?|documentation|materials?|texts?|passages?|"
        r"excerpts?|"
        r"articles?|papers?|reports?|stud(?:y|ies)|literature|evidence|records?|data|research|"
        r"parts? (?:shown|at hand|read|seen|given)|shown parts?)",
        "say": r"(?:say|state|mention|specify|specifie|give|name|report|describe|discuss|cover|"
        r"address|answer|"
        r"explain|provide|contain|include|list|quantify|quantifie|tell|disclose|offer|compare|"
        r"define|settle|"
        r"document|detail|indicate|speak|break|clarify|clarifie|note|cite|touch)(?:s|es|ed|ing)?",
        "said": r"(?:stated|specified|documented|mentioned|quantified|reported|disclosed|addressed|"
        r"discussed|described|explained|clarified|settled|answered|indicated|provided|recorded|"
        r"defined|known|given|clear|covered in)",
        "patterns": (
            r"\b{source}\b{any}{{0,40}}?\b(?:do|does|did|is|are|has|have|can|could)(?: ?not|n't)\b"
            r"{any}{{0,20}}?\b{say}\b",
            r"\b{source}\b{any}{{0,40}}?\b(?:{say} (?:nothing|no|neither|little)|(?:is|are|"
            r"remains?) "
            r"silent|fails? to {say}|leaves?{any}{{0,40}}? open|lacks?|stops? short of)\b",
            r"\b(?:no|none|neither|nowhere|nothing)\b(?: (?:of|in|one of))?"
            r"(?: (?:the|these|those|my|our|available|given|cited|other))*(?: two|"
            r" three)? {source}\b"
            r"(?:{any}{{0,30}}?\b{say}\b)?",
            r"\bneither\b{any}{{0,20}}? {say}\b",
            r"\bthere (?:is|are|was|were) (?:no|hardly any|too little|not enough|insufficient) "
            r"(?:{word} ){{0,2}}(?:information|data|figures?|details?|numbers?|statements?|"
            r"sources?|"
            r"guidance|measurements?|statistics|comparisons?)\b",
            r"\b(?:no|hardly any|too few|insufficient) (?:{word} ){{0,2}}(?:information|data|"
            r"figures?|"
            r"details?|numbers?|values?|statements?|guidance|measurements?|statistics|comparisons?|"
            r"answers?)\b(?:{any}{{0,60}}?\b(?:is|are|was|were|could be|can be) (?:available|"
            r"given|found|"
            r"provided|reported|stated|offered|mentioned|made|published|included|at hand))",
            r"\b(?:not|nowhere|never|n't)\b(?: (?:further|explicitly|clearly|yet|been|be|directly|"
            r"even))* (?:{said})(?! to\b)\b(?: (?:in|by) (?:the|any|"
            r"these) (?:available )?{source})?",
            r"\b(?:missing|absent|lacking) (?:from|in) (?:the|these|all) (?:available )?{source}\b",
            r"\b(?:cannot|can not|could not) be (?:derived|answered|determined|established|found|"
            r"judged|said|told)\b(?: (?:in|from|by|with) (?:the|these|any) (?:available )?"
            r"{source})?",
            r"(?:\b(?:is|are|was|were) )?\bnot (?:told|shown|seen|found|covered|answered)(?: here| "
            r"(?:in|by|on|among) (?:the|these|those|any) {source})\b",
            r"\b(?:remains?|stays?|is|are) (?:still )?an open (?:question|point)\b|\bstill open "
            r"(?:is|are)\b",
            r"\b(?:remains?|stays?|is left|are left) open\b(?! (?:until|till|from|on|at|to|all|"
            r"during|between|daily)\b)(?: here\b)?|\b(?:remains?|stays?|is|are) (?:left )?"
            r"(?:unclear|unknown|unanswered|unspecified|undocumented|unresolved|unstated)\b",
            r"\bopen here(?= *\|)",
            r"\b(?:information|data|figures?|details?|numbers?|measurements?|statistics)\b"
            r"{any}{{0,60}}?\b(?:is|are) (?:missing|lacking|absent|unavailable|not available)\b",
        ),
        "but": r"but|while|although|though|whereas|yet|however|even though",
    },
    "de": {
        "source": r"(?:Quellen?|Seiten?|Dokumente?n?|Dokumentation|Unterlagen|Texte?n?|"
        r"Material(?:ien)?|"
        r"Belege?n?|Studien?|Artikel|Literatur|Auszüge?n?|(?:gezeigten?|gelesenen?|vorliegenden?) "
        r"(?:Teilen?|Abschnitten?|Stellen|Ausschnitten?))",
        "say": r"(?:sag(?:t|en)|nenn(?:t|en)|geb(?:en)|gibt|enth(?:ält|alten)|erwähn(?:t|en)|"
        r"mach(?:t|en)|lief(?:ert|ern)|beschreib(?:t|en)|erklär(?:t|en)|biet(?:et|en)|"
        r"vergleich(?:t|en)|äußer(?:t|n)|behandel(?:t|n)|beantwort(?:et|en)|schweig(?:t|en)|"
        r"bezifer(?:t|n)|belege?n|belegt|geh(?:t|en))",
        "said": r"(?:genannt|angegeben|erwähnt|beschrieben|erklärt|belegt|untersucht|beziffert|"
        r"bekannt|"
        r"dokumentiert|behandelt|beantwortet|ausgeführt|mitgeteilt|ersichtlich|klar)",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b{say}\b{any}{{0,40}}?\b(?:nicht|nichts|kein\w*)\b",
            r"\b(?:kein\w*|weder|"
            r"nirgends)\b(?: \w+)? (?:der )?{source}\b(?:{any}{{0,30}}?\b{say}\b)?",
            r"\b{source}\b{any}{{0,20}}?\bschweig(?:t|en)\b",
            r"\bnicht zu (?:sehen|finden|lesen|entnehmen)\b",
            r"\b(?:aus|in|laut) (?:den|der|dem|keiner) (?:vorliegenden )?{source}\b{any}{{0,30}}?\b"
            r"(?:nicht|nichts|kein\w*)\b(?: hervor)?",
            r"\b(?:nicht|nirgends|kaum)\b(?: (?:näher|eindeutig|ausdrücklich))* {said}\b",
            r"\b(?:unklar|ungeklärt|unbekannt)\b(?: (?:bleibt|ist|bleiben|sind))?",
            # what is "offen" may be a door: it takes a verb of leaving open, or a question
            r"\b(?:bleib(?:t|en)|läss(?:t|en)|lassen)\b(?: (?:hier|damit|also|somit|dabei|aber|"
            r"jedoch|allerdings|noch|weiterhin|vorerst|bislang|bisher|es|sie|die|das|den|{source}))*"
            r" offen\b(?! (?:bis|von|vom|ab|während|nach|für|zwischen|stehen)\b)",
            r"\boffen (?:bleib(?:t|en)|geblieben|gelassen)\b|^(?:\w+ )?offen (?:ist|sind)\b",
            r"\b(?:ob|wann|warum|was|welche\w*|wer|wie|wo\w{{0,5}})\b{any}{{2,120}}?, (?:ist|sind)"
            r"(?: (?:hier|damit|also|noch|bislang|bisher|weiterhin|derzeit))* offen\b",
            r"\b(?:ist|sind) (?:hier |noch |bislang |bisher |derzeit )*offen,? "
            r"(?:ob|wann|warum|was|welche\w*|wer|wie|wo\w{{0,5}})\b",
            r"\bhier offen(?= *\|)",
            r"\b(?:bleib(?:t|en)|ist|sind) (?:eine )?offene Fragen?\b",
            r"\b(?:Angaben|Zahlen|Daten|Werte|Informationen|Hinweise|Aussagen)\b{any}{{0,50}}?\b"
            r"(?:fehl(?:t|en)|lieg(?:t|en) nicht vor|gibt es nicht)\b",
            r"\bes fehl(?:t|en)\b{any}{{0,10}}?\b(?:an )?(?:Angaben|Zahlen|Daten|Werte|"
            r"Informationen|Hinweise|Aussagen)\b",
            r"\b(?:keine|kaum) (?:\w+ )?(?:Angaben?|Zahlen|Daten|Werte|Informationen?|Hinweise?|"
            r"Aussagen?|Auskunft)\b(?:{any}{{0,40}}?\b(?:gemacht|vor|genannt|verfügbar))?",
        ),
        "but": r"aber|während|obwohl|jedoch|doch|wobei|allerdings",
    },
    "fr": {
        "source": r"(?:sources?|documents?|documentation|textes?|pages?|études?|articles?|"
        r"extraits?|"
        r"passages?|littérature|parties (?:lues|montrées|consultées|disponibles|fournies))",
        "say": r"(?:di(?:t|sent)|fournit|répond(?:ent)?|contien(?:t|nent)|"
        r"(?:précise|indique|mentionne|donne|fournisse|cite|évoque|aborde|compare|traite|permette|"
        r"parle|chiffre|explique|détaille)(?:nt)?)",
        "said": r"(?:précisée?s?|indiquée?s?|mentionnée?s?|donnée?s?|connue?s?|dite?s?|"
        r"traitée?s?|claire?s?|"
        r"abordée?s?|chiffrée?s?)",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b(?:ne |n['’]){any}{{0,10}}?{say}\b{any}{{0,10}}?\b"
            r"(?:pas|rien|aucune?|guère|ni)\b",
            r"\baucune?(?: des)? {source}\b{any}{{0,20}}?(?:ne |n['’]){any}{{0,10}}?{say}\b",
            r"\baucune? (?:\w+ )?(?:donnée|information|chiffre|précision|indication|mention|"
            r"mesure)s?\b"
            r"(?:{any}{{0,30}}?(?:disponible|fournie?|trouvée?|donnée?))?",
            r"\bil n['’](?:y a|existe) (?:pas|aucune?)(?: de| d['’])? ?(?:données?|informations?|"
            r"chiffres?|indications?)\b",
            r"\b(?:on ignore|on ne sait pas|reste(?:nt)? (?:ouverte?|à préciser|inconnue?|floue?)|"
            r"il n['’]est pas (?:clair|précisé|connu))\b",
            r"\b(?:reste|demeure)(?:nt)? (?:(?:donc|ici|encore|pour l['’]instant) )*(?:ouverte?s?|"
            r"en suspens|sans réponse|une question ouverte|inconnue?s?|à préciser)\b",
            r"\bne (?:figure|se trouve)(?:nt)? (?:pas|nulle part)\b(?: dans les {source})?",
            r"\brien n['’]est (?:dit|précisé|indiqué)\b",
            r"\b(?:n['’]est|ne sont|n['’]a été)\b (?:pas|nulle part|jamais) {said}\b"
            r"(?: dans les {source})?",
        ),
        "but": r"mais|alors que|bien que|tandis que|cependant|toutefois",
    },
    "es": {
        "source": r"(?:fuentes?|documentos?|documentación|textos?|páginas?|estudios?|artículos?|"
        r"materiales?|pasajes?|partes (?:mostradas|leídas|disponibles|consultadas))",
        "say": r"(?:dicen?|indican?|mencionan?|precisan?|ofrecen?|dan?|contienen?|aportan?|"
        r"especifican?|"
        r"comparan?|tratan?|explican?|incluyen?|proporcionan?|responden?|señalan?)",
        "said": r"(?:indicad[oa]s?|mencionad[oa]s?|precisad[oa]s?|especificad[oa]s?|"
        r"conocid[oa]s?|clar[oa]s?|"
        r"explicad[oa]s?|documentad[oa]s?)",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b(?:no|nada|tampoco|ni)\b{any}{{0,12}}?\b{say}\b",
            r"\b(?:ninguna?|ni una)(?: de (?:las|los))? {source}\b(?:{any}{{0,20}}?\b{say}\b)?",
            r"\bno (?:se )?(?:hay|encontr\w+|dispone\w*|existen?|ofrecen?|"
            r"facilitan?)(?: de)? (?:\w+ )?"
            r"(?:datos?|información|cifras?|detalles?|indicaciones)\b",
            r"\b(?:queda(?:n)? por aclarar|queda(?:n)? abiert[oa]s?|se desconoce|no se sabe|"
            r"no (?:está|queda) "
            r"clar[oa]|no se (?:indica|menciona|precisa|especifica|explica|dice)n?)\b(?: en "
            r"(?:las|los) {source})?",
            r"\b(?:no (?:es|son|está|están|ha sido|fue)) {said}\b",
            r"\bquedan? (?:(?:aquí|aún|todavía|por ahora) )*(?:abiert[oa]s?|pendientes?|en el aire|"
            r"sin (?:respuesta|resolver|aclarar))\b",
            r"\bno (?:aparece|figura|consta)n? en (?:las|los) {source}",
            r"\bfaltan? (?:los )?(?:datos?|información|cifras?|detalles?)\b",
        ),
        "but": r"pero|aunque|mientras que|sin embargo",
    },
    "it": {
        "source": r"(?:fonti|fonte|documenti|documento|documentazione|testi|testo|pagine|studi|"
        r"articoli|parti (?:mostrate|lette|disponibili|consultate))",
        "say": r"(?:dic(?:e|ono)|indica(?:no)?|menziona(?:no)?|precisa(?:no)?|forni(?:sce|scono)|"
        r"riporta(?:no)?|conten(?:gono)|contiene|specifica(?:no)?|confronta(?:no)?|tratta(?:no)?|"
        r"spiega(?:no)?|cita(?:no)?|offr(?:e|ono)|d(?:à|anno))",
        "said": r"(?:indicat[oaie]|menzionat[oaie]|precisat[oaie]|specificat[oaie]|not[oaie]|"
        r"chiar[oaie]|"
        r"riportat[oaie])",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b(?:non|nulla|niente)\b{any}{{0,12}}?\b{say}\b",
            r"\bnessuna?(?: delle| dei)? {source}\b(?:{any}{{0,20}}?\b{say}\b)?",
            r"\b(?:mancano|manca|non (?:ci sono|sono disponibili|esistono|si trovano)) (?:i |le )?"
            r"(?:dati|informazioni|cifre|dettagli|indicazioni)\b",
            r"\b(?:resta(?:no)? (?:apert[oaie]|da chiarire|ignot[oaie])|si ignora|non si sa|"
            r"non (?:è|sono|viene|vengono) {said})\b(?: nell?[ei] {source})?",
            r"\b(?:resta|restano|rimane|rimangono) (?:(?:qui|ancora|per ora) )*(?:apert[oaie]|"
            r"in sospeso|senza risposta|da chiarire|ignot[oaie])\b",
            r"\bnon (?:figura|compare|risulta)(?:no)? (?:nelle|nei|dalle|dai) {source}",
        ),
        "but": r"ma|però|mentre|sebbene|benché|tuttavia",
    },
    "pt": {
        "source": r"(?:fontes?|documentos?|documentação|textos?|páginas?|estudos?|artigos?|"
        r"partes (?:mostradas|lidas|disponíveis|consultadas))",
        "say": r"(?:diz(?:em)?|indicam?|mencionam?|referem?|dão|dá|fornecem?|contêm|contém|"
        r"especificam?|"
        r"comparam?|explicam?|incluem?|apresentam?|abordam?)",
        "said": r"(?:indicad[oa]s?|mencionad[oa]s?|referid[oa]s?|especificad[oa]s?|"
        r"conhecid[oa]s?|clar[oa]s?|"
        r"explicad[oa]s?)",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b(?:não|nada|nem)\b{any}{{0,12}}?\b{say}\b",
            r"\bnenhum[a]?(?: das| dos)? {source}\b(?:{any}{{0,20}}?\b{say}\b)?",
            r"\b(?:não há|não existem|não foram encontrad[oa]s|faltam?|não se dispõe de)(?: os|"
            r" as)? "
            r"(?:dados?|informaç(?:ão|ões)|números?|detalhes?|indicações)\b",
            r"\b(?:fica(?:m)? (?:em aberto|por esclarecer|por saber)|desconhece-se|não se sabe|"
            r"não (?:é|são|está|estão|foi) {said})\b",
            r"\b(?:fica|permanece|continua)m? (?:(?:aqui|ainda|por agora) )*(?:em aberto|"
            r"por esclarecer|por saber|sem resposta)\b",
            r"\bnão (?:consta|figura|aparece)m? (?:nas|nos|das|dos) {source}",
        ),
        "but": r"mas|embora|enquanto|porém|contudo",
    },
    "nl": {
        "source": r"(?:bron(?:nen)?|documenten?|documentatie|teksten?|pagina['’]?s?|studies?|"
        r"artikelen?|(?:getoonde|gelezen|beschikbare) (?:delen|gedeelten|stukken))",
        "say": r"(?:zegg?(?:t|en)?|noem(?:t|en)|vermeld(?:t|en)|geven|geeft|bevat(?:ten)?|"
        r"beschrij(?:ft|ven)|"
        r"biedt|bieden|vergelijk(?:t|en)|verklaart|verklaren|staat|gaan|gaat)",
        "said": r"(?:vermeld|genoemd|beschreven|bekend|duidelijk|onderzocht|aangegeven|toegelicht)",
        "patterns": (
            r"\b{source}\b{any}{{0,30}}?\b{say}\b{any}{{0,30}}?\b(?:niet|niets|geen)\b",
            r"\b(?:geen(?: van de)?|geen enkele) {source}\b(?:{any}{{0,20}}?\b{say}\b)?",
            r"\b(?:geen|te weinig) (?:\w+ )?(?:informatie|gegevens|cijfers|getallen|details)\b"
            r"(?:{any}{{0,30}}?\b(?:beschikbaar|gevonden|gegeven|voorhanden))?",
            r"\b(?:onduidelijk|onbekend|open)\b (?:blijft|is|blijven|zijn)|\b(?:blijft|is) "
            r"(?:onduidelijk|onbekend|open)\b",
            r"\bblij(?:ft|ven) (?:(?:hier|nog|vooralsnog|dus) )*(?:open|onbeantwoord|onbekend|"
            r"onduidelijk)\b",
            r"\bsta(?:at|an) (?:er )?(?:niet|nergens) in (?:de|deze) {source}",
            r"\b(?:wordt|worden|is|zijn)\b{any}{{0,30}}?\b(?:niet|nergens) {said}\b",
            r"\b(?:gegevens|cijfers|informatie)\b{any}{{0,40}}?\b(?:ontbre(?:ekt|ken))\b",
        ),
        "but": r"maar|terwijl|hoewel|echter",
    },
    "zh": {
        "source": r"(?:来源|资料|文献|文件|文档|材料|研究|文章|原文|页面)",
        "say": r"(?:说明|提到|提及|给出|提供|指出|涉及|讨论|比较|记载|列出|回答|解释|交代|披露)",
        "said": "",
        "patterns": (
            r"{source}{any}{{0,8}}?(?:没有|未|均未|并未|不)(?:明确|具体)?{say}",
            r"(?:没有|无)(?:任何)?{source}{any}{{0,6}}?{say}",
            r"(?:目前)?(?:尚|还|仍)?(?:不清楚|不明确|不得而知|不明)",
            r"(?:没有|未见|缺乏|缺少|尚无){any}{{0,16}}?(?:数据|信息|资料|说明|统计|记载)",
            r"所(?:示|给|见|列|读)的?(?:部分|内容|章节|段落)中?{any}{{0,8}}?(?:没有|并未|未)(?:写明|{say})?",
            r"(?:在?此处?|这里)?(?:仍然?|尚|还)?(?:未有定论|悬而未决|未(?:得到)?解答|没有答案|有待查明|是未知数)",
            r"(?:未|没有)(?:被)?(?:提及|提到|说明|给出|公布|披露)",
        ),
        "but": r"但|不过|然而|虽然",
    },
    "ja": {
        "source": r"(?:(?:示された|手元の|読んだ)(?:部分|箇所|範囲)|"
        r"資料|出典|文献|文書|情報源|記事|ソース|論文)",
        "say": r"(?:示|述べ|記|書|触れ|言及|説明|比較|挙げ)",
        "said": "",
        "patterns": (
            r"{source}(?:に|で|から|の中){any}{{0,24}}?(?:ない|ません|いない|なかった)",
            r"(?:記載|記述|言及|説明|情報|データ|数値)(?:が|は|も)(?:ない|見当たらない|"
            r"ありません|示されていない)",
            r"(?:は|かは|も)?(?:不明|明らかでない|明らかではない|わかっていない|分かっていない|"
            r"分からない|わからない)(?:である|だ|です)?",
            r"(?:ここでは)?(?:未解決(?:の(?:問題|まま))?|未確認|答えが(?:出ない|出ていない|得られない|ない))"
            r"(?:である|だ|です)?",
            r"(?:明記|記載|説明|言及|公表)されていない",
        ),
        "but": r"が、|しかし|ただし|ものの",
    },
}  # fmt: skip
"""By language: words for sources, for saying and for what is said, of which the patterns are made,
and words that open a clause with a statement of its own."""
