"""Sentences that leave something unsettled."""

import pytest

from citations.unsettled import find_unsettled


@pytest.mark.parametrize(
    ("said", "language", "unsettled"),
    [
        ("Whether moth or rust ate the loom is disputed [4].", "en",
         "Whether moth or rust ate the loom"),
        ("The loom weaves linen, but who built it remains contested.", "en", "but who built it"),
        ("The 22,000 threads are disputed in number.", "en", "The 22,000 threads in number"),
        ("Ob Motten den Webstuhl fraßen, ist umstritten.", "de", "Ob Motten den Webstuhl fraßen"),
        ("Der Erbauer des Webstuhls ist umstritten [2].", "de", "Der Erbauer des Webstuhls"),
        ("织布机的建造者仍有争议。", "zh", "织布机的建造者"),
        ("No single tree can be blamed on salt, but it was dry [2].", "en",
         "single tree blamed on salt"),
        ("The thirty sore paws could not be assigned to any path [2].", "en",
         "The thirty sore paws assigned to any path"),
        ("Kein einzelner Baum lässt sich dem Salz zuschreiben [2].", "de",
         "einzelner Baum dem Salz zuschreiben"),
        ("Die Schäden lassen sich dem Salz nicht zuordnen.", "de",
         "Die Schäden dem Salz zuordnen"),
        ("Aucun arbre ne peut être attribué au sel.", "fr", "arbre attribué au sel"),
        ("死亡无法归因于盐。", "zh", "死亡 归因于盐"),
        ("Ms Dressel asked whether dry summers had killed the limes [2]; it was dry.", "en",
         "dry summers had killed the limes"),
        ("It knows of no falls, and nobody counts those who stay at home [1].", "en",
         "those who stay at home"),
        ("Die Rätin fragte, ob die Dürre die Linden tötete.", "de", "die Dürre die Linden tötete"),
        ("她询问是否干旱造成死亡。", "zh", "干旱造成死亡"),
        ("The kerb decides, nor is salt proven to have killed the felled limes [2].", "en",
         "salt to have killed the felled limes"),
        ("The limes fell, though salt was not proven as the cause [2].", "en",
         "though salt was as the cause"),
        ("Dass Salz die Linden tötete, ist nicht erwiesen.", "de", "Dass Salz die Linden tötete"),
        ("Salt was proven as the cause [2].", "en", ""),
        ("A lost sensor can be blamed on the frost [2].", "en", ""),
        ("Of 112 members asked, 71 go out less [2].", "en", ""),
        ("The frame cannot be opened by hand.", "en", ""),
        ("The figure is undisputed.", "en", ""),
        ("The figure is no longer disputed.", "en", ""),
        ("The loom weaves linen [1].", "en", ""),
        ("Whatever is disputed in Turkish.", "tr", ""),
    ],
)  # fmt: skip
def test_what_a_sentence_calls_unsettled(said: str, language: str, unsettled: str) -> None:
    assert find_unsettled(said, language) == unsettled
