"""The few sentences that the extractive model says itself, by language."""

_SMALL_TALK = {
    "en": "hi hello hey thanks thank you good morning evening bye goodbye ok okay great cheers",
    "de": "hallo danke guten morgen tag abend tschüss servus moin",
    "fr": "bonjour salut merci beaucoup bonsoir au revoir",
    "es": "hola gracias muchas buenos días buenas tardes adiós",
    "it": "ciao grazie buongiorno buonasera arrivederci",
    "pt": "olá obrigado obrigada bom dia tchau",
    "nl": "dank je hoi goedemorgen",
    "ru": "привет спасибо здравствуйте пока",
    "zh": "你好 您好 谢谢 多谢 再见 嗨",
    "ja": "こんにちは ありがとう ありがとうございます おはよう さようなら",
    "ko": "안녕 안녕하세요 감사합니다 고마워",
    "ar": "مرحبا شكرا السلام عليكم",
}
SMALL_TALK = {word: code for code, words in _SMALL_TALK.items() for word in words.split()}
"""Language of the words of greetings and thanks: a message of nothing else needs no research."""

REPLY = {
    "en": "I write cited reports from your sources. Ask me a question and I will look it up.",
    "de": "Ich schreibe belegte Berichte aus Ihren Quellen. Stellen Sie mir eine Frage.",
    "fr": "Je rédige des rapports sourcés à partir de vos documents. Posez-moi une question.",
    "es": "Escribo informes con citas a partir de sus fuentes. Hágame una pregunta.",
    "it": "Scrivo relazioni con citazioni dalle vostre fonti. Fatemi una domanda.",
    "pt": "Escrevo relatórios com citações a partir das suas fontes. Faça-me uma pergunta.",
    "nl": "Ik schrijf verslagen met bronvermelding uit uw bronnen. Stel mij een vraag.",
    "ru": "Я пишу отчёты со ссылками на ваши источники. Задайте вопрос.",
    "zh": "我根据您的资料撰写带引文的报告。请向我提问。",
    "ja": "お手元の資料から、出典つきの報告書を書きます。ご質問をどうぞ。",
    "ko": "자료를 바탕으로 출처가 있는 보고서를 씁니다. 질문해 주세요.",
    "ar": "أكتب تقارير موثقة من مصادرك. اطرح علي سؤالا.",
}

FURTHER_QUESTION = {
    "en": "What else do the sources say about “{}”?",
    "de": "Was sagen die Quellen noch über „{}“?",
    "fr": "Que disent encore les sources sur « {} » ?",
    "es": "¿Qué más dicen las fuentes sobre «{}»?",
    "it": "Che cos'altro dicono le fonti su «{}»?",
    "pt": "O que mais dizem as fontes sobre «{}»?",
    "nl": "Wat zeggen de bronnen nog meer over ‘{}’?",
    "ru": "Что ещё говорят источники о «{}»?",
    "zh": "关于“{}”，资料还说了什么？",
    "ja": "「{}」について、資料はほかに何を述べていますか。",
    "ko": "‘{}’에 대해 자료는 또 무엇을 말합니까?",
    "ar": "ماذا تقول المصادر أيضا عن «{}»؟",
}

OPEN_QUESTIONS = (
    {
        "en": "What do the sources leave open about “{}”?",
        "de": "Was lassen die Quellen zu „{}“ offen?",
        "fr": "Que laissent ouvert les sources sur « {} » ?",
        "es": "¿Qué dejan abierto las fuentes sobre «{}»?",
        "it": "Che cosa lasciano aperto le fonti su «{}»?",
        "pt": "O que deixam as fontes em aberto sobre «{}»?",
        "nl": "Wat laten de bronnen open over ‘{}’?",
        "ru": "Что источники оставляют открытым о «{}»?",
        "zh": "关于“{}”，资料有哪些没有说清？",
        "ja": "「{}」について、資料は何を明らかにしていませんか。",
        "ko": "‘{}’에 대해 자료가 밝히지 않은 것은 무엇입니까?",
        "ar": "ماذا تترك المصادر دون جواب عن «{}»؟",
    },
    {
        "en": "Where do the sources disagree about “{}”?",
        "de": "Worin widersprechen sich die Quellen zu „{}“?",
        "fr": "Sur quoi les sources se contredisent-elles à propos de « {} » ?",
        "es": "¿En qué se contradicen las fuentes sobre «{}»?",
        "it": "In che cosa si contraddicono le fonti su «{}»?",
        "pt": "Em que se contradizem as fontes sobre «{}»?",
        "nl": "Waarin spreken de bronnen elkaar tegen over ‘{}’?",
        "ru": "В чём расходятся источники о «{}»?",
        "zh": "关于“{}”，资料在哪些方面不一致？",
        "ja": "「{}」について、資料はどこで食い違っていますか。",
        "ko": "‘{}’에 대해 자료는 어디서 서로 다릅니까?",
        "ar": "أين تختلف المصادر عن «{}»؟",
    },
    {
        "en": "Which of the sources on “{}” is the newest?",
        "de": "Welche der Quellen zu „{}“ ist die neueste?",
        "fr": "Quelle est la plus récente des sources sur « {} » ?",
        "es": "¿Cuál de las fuentes sobre «{}» es la más reciente?",
        "it": "Qual è la più recente delle fonti su «{}»?",
        "pt": "Qual das fontes sobre «{}» é a mais recente?",
        "nl": "Welke van de bronnen over ‘{}’ is de nieuwste?",
        "ru": "Какой из источников о «{}» самый новый?",
        "zh": "关于“{}”，哪一份资料最新？",
        "ja": "「{}」についての資料のうち、最も新しいのはどれですか。",
        "ko": "‘{}’에 대한 자료 가운데 가장 새로운 것은 무엇입니까?",
        "ar": "أي المصادر عن «{}» هو الأحدث؟",
    },
)
"""What can be asked of any question where the sources name nothing further."""

NOTHING_FOUND = {
    "en": "The sources that could be reached do not speak of “{}”.",
    "de": "Die erreichbaren Quellen sagen nichts über „{}“.",
    "fr": "Les sources accessibles ne disent rien de « {} ».",
    "es": "Las fuentes accesibles no hablan de «{}».",
    "it": "Le fonti raggiungibili non parlano di «{}».",
    "pt": "As fontes acessíveis não falam de «{}».",
    "nl": "De bereikbare bronnen zeggen niets over ‘{}’.",
    "ru": "Доступные источники ничего не говорят о «{}».",
    "zh": "可查到的资料没有提及“{}”。",
    "ja": "参照できた資料は「{}」について述べていません。",
    "ko": "찾을 수 있는 자료는 ‘{}’에 대해 말하지 않습니다.",
    "ar": "لا تتحدث المصادر المتاحة عن «{}».",
}


def format_phrase(table: dict[str, str], language: str, *values: str) -> str:
    """A phrase in a language, or in English."""
    return table.get(language, table["en"]).format(*values)
