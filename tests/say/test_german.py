"""German ideas are read in English words, whatever the order and the endings of theirs."""

import pytest

from tests.say.measure import FOLDER, ideas_in, phrasebook_for
from toolkit.dsl.nearest_sentences.german import in_english, is_german
from toolkit.dsl.nearest_sentences.german_lexicon import lexicon
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.editing.saying import Phrasebook


@pytest.fixture(scope="module")
def shipped() -> Phrasebook:
    return phrasebook_for([])


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Der Gegner wirft zwei Karten ab.", "discards 2 cards"),
        ("Du darfst zwei Karten abwerfen.", "2 cards discards"),
        ("Zwei Karten werden abgeworfen.", "2 cards is discards"),
        ("Einen Angriffswürfel mehr", "attack die more"),
        ("Trifft er, ziehe eine Karte.", "on a hit"),
        ("Fällt ein Feind, ziehe eine Karte.", "if goes down one of them ,"),
        ("Er kann sich nicht mehr bewegen.", "he himself not moves"),
        ("Ein Feind bekommt bis zum Ende des Zuges -1 EP.", "one of them gets - 1 ep until end of turn"),
        ("Er darf einmal pro Runde nachladen.", "once per round , he may reloads"),
        ("Ein Feind, der schon erschöpft ist, verliert 1 EP.", "one of them that is already exhausted loses"),
        ("Jeder Feind, der aufs Feld kommt, verliert 1 EP.", "when one of them enters the field , loses he"),
        ("Gegner in Reichweite? Dann ziehe eine Karte.", "if enemy in range ?"),
        ("Ab drei Feinden in Reichweite zieht er eine Karte.", "if at least 3 enemies in range"),
        ("Er zieht eine Karte, um den Träger zu heilen.", "if you do the bearer"),
        ("Der verletzte Feind verliert 1 EP.", "the wounded enemy"),
        ("Der verliert 1 EP.", "he loses 1 ep"),
        ("Er darf eine Krate abwerfen.", "he may"),
        ("Der Gegner zieht zwei Kartten.", "enemy draws 2 cards"),
    ],
)
def test_german_words_are_said_in_english(german: str, english: str) -> None:
    assert english in in_english(german)


def test_a_mistaken_letter_is_mended_only_where_the_word_is_another_form_of_nothing_else() -> None:
    assert "später" not in in_english("später")
    assert "scout" not in in_english("Er zieht später eine Karte.")


def test_english_ideas_stay_as_they_are() -> None:
    for idea in ideas_in(FOLDER / "paraphrases_en.tsv")[::4]:
        assert not is_german(words_of_text(idea.text)), idea.text


def test_german_ideas_are_known_as_such() -> None:
    ideas = [idea for idea in ideas_in(FOLDER / "paraphrases_de.tsv")[::4] if len(idea.text.split()) > 4]
    known = [idea for idea in ideas if is_german(words_of_text(idea.text))]
    assert len(known) >= 0.99 * len(ideas)


def test_no_phrase_says_what_is_not_english() -> None:
    """What stands to the left of an arrow is not itself German."""
    assert not [word for word in lexicon().english if any(letter in word for letter in "äöüß")]


@pytest.mark.parametrize(
    ("kind", "idea", "effect"),
    [
        (
            "operator",
            "Fällt ein Feind in Reichweite, ziehst du eine Karte.",
            "when an enemy OPERATOR in RANGE becomes HIT, owner draws 1 card.",
        ),
        (
            "strategy",
            "Alle Gegner mit weniger als 3 AP können nicht angreifen.",
            "all enemy OPERATORs with AP < 3 cannot perform ATTACK.",
        ),
        (
            "effect",
            "Verwundete Feinde kriegen bis Zugende 2 EP weniger.",
            "when played, all enemy OPERATORs with HITCOUNTER >= 1 get -2 EP until end of TURN.",
        ),
        ("operator", "Für jede Karte auf deiner Hand +1 AP.", "self gets +1 AP for each card in own hand."),
    ],
)
def test_german_ideas_are_said(shipped: Phrasebook, kind: str, idea: str, effect: str) -> None:
    said = shipped.say(idea, (kind,))
    assert effect in [candidate.effect for candidate in said.candidates]


def test_what_is_left_out_is_named_in_german(shipped: Phrasebook) -> None:
    said = shipped.say("Donnerwetter, ziehe zwei Karten, sprach der Hausmeister.", ("effect",))
    for candidate in said.candidates:
        assert set(candidate.left_out) <= {
            "Donnerwetter",
            "sprach",
            "Hausmeister",
            "der Hausmeister",
            "der",
            "Der",
        }
