"""The content of a website's pages, as values for its templates: cards, TEAMs, SQUADs, the help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import join, normpath, relpath
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from toolkit import __version__
from toolkit.data.model import FIELD_POSITIONS, Card, Mode, Objective, Squad, Team
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import finding_names, folder_of, other_page, other_pages, page_of_finding
from toolkit.products.sheets.print_job import PrintJob
from toolkit.products.website.card_pages import PageFragment, fill_fragment, fill_page, search_script
from toolkit.products.website.help_section import help_page, inline
from toolkit.products.website.rulings import PlayedScenario, Rulings, rulings_of
from toolkit.products.website.site_pictures import ScreenPicture
from toolkit.project.faces import rules_of
from toolkit.project.pipeline import Workspace
from toolkit.render.face import KINDS, Back, Face, back_of
from toolkit.wording.languages import Words, words_in
from toolkit.wording.text import names_in, plain

HELP = "docs"
_READ_FIRST = ("tutorial", "cookbook", "eighty-ideas", "language")
_SUMMARY = 200
"""Characters of a text beside a link."""
HOW_TO, LANGUAGE, REFERENCE = "how-to", "language", "reference"


class Download(Struct, frozen=True):
    """A PDF to print: its name on the website, the key of its description, paper, pages and bytes."""

    name: str
    what: str
    paper: str
    pages: int
    size: int


class SitePictures(Struct, frozen=True):
    """The pictures of faces and backs, and the file names of TEAMs' logos."""

    cards: Mapping[Face, ScreenPicture]
    backs: Mapping[Back, ScreenPicture]
    logos: Mapping[str, str]


class Site(Struct, frozen=True):
    """Everything that the pages are made from."""

    workspace: Workspace
    title: str
    jobs: Sequence[PrintJob]
    drawn: SitePictures
    scenarios: Sequence[PlayedScenario]
    downloads: Mapping[str, Sequence[Download]]
    docs: bool
    url_base: str | None = None

    def address(self, name: str) -> str | None:
        """Return the address of a file of the website once it is published; None if that is not known."""
        return None if self.url_base is None else f"{self.url_base.rstrip('/')}/{quote(name)}"

    @property
    def languages(self) -> list[str]:
        """The languages; the first one is that of the front page."""
        return [job.language for job in self.jobs]


def pages_of(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all pages and of the scripts with search texts."""
    for job in site.jobs:
        yield from _LanguagePages(site, job).pages()
    if site.docs:
        yield from _help_pages(site)


def home_page(site: Site, language: str) -> str:
    """Return the name of the page with all cards in a language."""
    return "index.html" if language == site.languages[0] else f"{language}/index.html"


class _PageFrame:
    """The values that all pages share: language, relative links, and the menu."""

    def __init__(self, site: Site, language: str) -> None:
        self.site, self.language = site, language
        self.words: Words = words_in(site.workspace.cards.project, language)

    def values(
        self, name: str, menu_key: str, alternatives: Sequence[tuple[str, str]] = ()
    ) -> dict[str, Any]:
        """Return the values of a page: ``menu_key`` is its menu entry, ``alternatives`` the page in other
        languages."""
        site, language = self.site, self.language

        def link(target: str) -> str:
            """Return the address of a page as seen from this one."""
            page, mark, anchor = target.partition("#")
            return relpath(page, name.rpartition("/")[0] or ".") + mark + anchor

        menu = [("cards", home_page(site, language), self.say("site-cards"))]
        if site.workspace.cards.squads:
            menu.append(("squads", f"{language}/squads.html", self.say("squads")))
        if site.workspace.cards.teams:
            menu.append(("teams", f"{language}/teams.html", self.say("site-teams")))
        if site.downloads.get(language):
            menu.append(("print", f"{language}/print.html", self.say("pnp-title")))
        if site.docs:
            menu.append((HELP, f"{HELP}/index.html", self.say("site-help")))
        pages_by_language = alternatives or [(code, home_page(site, code)) for code in site.languages]
        return {
            "language": language,
            "languages": [(code, link(target), code == language) for code, target in pages_by_language],
            "link": link,
            "menu": [(link(target), label, key == menu_key) for key, target, label in menu],
            "home": link(home_page(site, language)),
            "address": site.address(name),
            "address_of": site.address,
            "site_title": site.title,
            "say": self.say,
            "opforge": __version__,
        }

    def say(self, key: str, **numbers: object) -> str:
        """Return one of the words of the website."""
        return self.words.say(key, **numbers)


class _LanguagePages:
    """The pages of a language."""

    def __init__(self, site: Site, job: PrintJob) -> None:
        """Prepare the pages of the language of a job; ``parts`` are rulings that were written before."""
        self.site, self.job, self.language = site, job, job.language
        self.cards = site.workspace.cards
        self.head = _PageFrame(site, job.language)
        self.say = self.head.say
        self.faces = {face.id: face for face in job.faces}
        self.names = names_in(self.cards)
        self.rulings = Rulings(site.workspace, job.language)
        self.parts: dict[int, PageFragment] = {}
        self.reminders = {
            key.removeprefix("reminder-"): text
            for key, text in self.head.words.texts.items()
            if key.startswith("reminder-")
        }

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield all pages and the script with search texts."""
        language, faces = self.language, self.job.faces
        name = home_page(self.site, language)
        yield name, fill_page("wall", {**self.head.values(name, "cards"), **self._wall()})
        yield f"{language}/cards.js", search_script({face.id: self._searched(face) for face in faces})
        for previous_face, face, next_face in zip((None, *faces), faces, (*faces[1:], None), strict=False):
            name = self._page(face.id)
            alternatives = [(code, f"{code}/cards/{face.id}.html") for code in self.site.languages]
            values = self.head.values(name, "", alternatives)
            yield name, fill_page("card", {**values, **self._card(face, previous_face, next_face)})
        if self.cards.squads:
            yield self._simple("squads", squads=list(map(self._squad, self.cards.squads)))
        if self.cards.teams:
            yield self._simple("teams", teams=list(map(self._team, self.cards.teams)))
        downloads = self.site.downloads.get(language)
        if downloads:
            yield self._simple("print", downloads=downloads)

    def _simple(self, page: str, **values: object) -> tuple[str, bytes]:
        """Return a page that exists once in each language."""
        name = f"{self.language}/{page}.html"
        alternatives = [
            (language, f"{language}/{page}.html")
            for language in self.site.languages
            if page != "print" or self.site.downloads.get(language)
        ]
        return name, fill_page(page, {**self.head.values(name, page, alternatives), **values})

    def _name(self, entry: Mode | Squad | Team) -> str:
        return entry.name.in_language(self.language).value

    def _page(self, card: str) -> str:
        return f"{self.language}/cards/{card}.html"

    def _item(self, face: Face, number: int = 0) -> dict[str, Any]:
        """Return a card for a list."""
        picture = self.site.drawn.cards.get(face)
        return {
            "id": face.id,
            "name": face.name,
            "page": self._page(face.id),
            "kind": face.kind,
            "kind_label": face.kind_label,
            "team": self._team_id(face.id),
            "traits": self._trait_ids(face.id),
            "picture": picture,
            "shape": self.job.layouts.of(face.kind).shape,
            "squadpoints": face.squadpoints,
            "copies": number,
        }

    def _team_id(self, card: str) -> str:
        card_entry = self.cards.cards.get(card)
        return card_entry.team or "" if card_entry else ""

    def _trait_ids(self, card: str) -> tuple[str, ...]:
        card_entry = self.cards.cards.get(card)
        return card_entry.traits if card_entry else ()

    def _wall(self) -> dict[str, Any]:
        """Return all cards in groups by kind and TEAM, and the values of the filters."""
        used_teams = {team for face in self.job.faces if (team := self._team_id(face.id))}
        traits = {trait for face in self.job.faces for trait in self._trait_ids(face.id)}
        labels = {face.kind: face.kind_label for face in self.job.faces}
        return {
            "groups": [
                (heading, [self._item(face) for face in kind_faces])
                for heading, kind_faces in self.job.by_kind().items()
            ],
            "total": len(self.job.faces),
            "kinds": [(kind, labels[kind]) for kind in KINDS if kind in labels],
            "teams": [
                (team.id, self._name(team)) for team in self.cards.teams.values() if team.id in used_teams
            ],
            "traits": sorted((self.names.name("trait", trait, self.language), trait) for trait in traits),
            "data": f"{self.language}/cards.js",
        }

    def _entry(self, face: Face) -> Card | Objective:
        return self.cards.cards.get(face.id) or self.cards.objectives[face.id]

    def _searched(self, face: Face) -> str:
        """Return the search text of a card: its names in all languages, and what is printed on it."""
        entry = self._entry(face)
        names = [entry.name.in_language(language).value for language in self.site.languages]
        skills = [text for skill in face.skills for text in (skill.name or "", plain(skill.paragraphs))]
        words = (face.id, face.name, *names, face.kind_label, face.team_name or "", *face.traits, *skills)
        return " ".join(" ".join(filter(None, (*words, face.flavour or ""))).split())

    def _card(self, face: Face, previous_face: Face | None, next_face: Face | None) -> dict[str, Any]:
        """Return the values of a card's page for the template."""
        shown, further_count = rulings_of(face.id, self.site.scenarios)
        card = self.cards.cards.get(face.id)
        return {
            **self._item(face),
            "face": face,
            "summary": _cut(" ".join(plain(skill.paragraphs) for skill in face.skills)),
            "rules": rules_of(self.site.workspace, self._entry(face), self.language, "full"),
            "printed_short": self.cards.project.look.text_style == "short",
            "back": self.site.drawn.backs.get(back_of(face)),
            "team_page": f"{self.language}/teams.html#{self._team_id(face.id)}",
            "trait_names": list(zip(self._trait_ids(face.id), face.traits, strict=False)),
            "keywords": [
                self.names.name("KEYWORD", keyword, self.language)
                for keyword in (card.keywords if isinstance(card, Card) else ())
            ],
            "explained": list(self._explained(face)),
            "flavour": (face.flavour or "").strip().splitlines(),
            "squads": [
                (squad.id, self._name(squad))
                for squad in self.cards.squads.values()
                if face.id in squad.cards()
            ],
            "modes": [self._name(mode) for mode in self.cards.modes.values() if face.id in mode.objectives],
            "rulings": [(scenario, self._ruling(scenario)) for scenario in shown],
            "more_rulings": further_count,
            "previous": self._item(previous_face) if previous_face else None,
            "next": self._item(next_face) if next_face else None,
        }

    def _explained(self, face: Face) -> Iterator[tuple[str, str]]:
        """Yield the keywords in a card's text that it does not explain itself, with their reminders."""
        runs = [run for skill in face.skills for paragraph in skill.paragraphs for run in paragraph]
        printed_reminders = " ".join(run.text for run in runs if run.kind == "reminder")
        keywords = dict.fromkeys(run.text for run in runs if run.kind == "keyword" and run.text.strip())
        first_words = dict.fromkeys(next(iter(keyword.split())) for keyword in keywords)
        for word in first_words:  # a keyword may have a number behind it
            reminder = self.reminders.get(word.lower())
            if reminder and reminder not in printed_reminders:
                yield word, reminder

    def _ruling(self, scenario: PlayedScenario) -> PageFragment:
        """Return a ruling, cached: all pages of cards are in one folder, so that its links are the same."""
        if scenario.number not in self.parts:
            ruling = self.rulings.ruling(scenario)
            self.parts[scenario.number] = fill_fragment(
                "ruling", {"ruling": ruling, "say": self.say, "pages": set(self.faces)}
            )
        return self.parts[scenario.number]

    def _squad(self, name: str) -> dict[str, Any]:
        """Return a SQUAD for the page of all of them."""
        squad, mode = self.cards.squads[name], self.cards.modes.get(self.cards.project.mode or "")
        field_positions = mode.field_positions if mode else FIELD_POSITIONS
        operators = [self._item(self.faces[card_id]) for card_id in squad.operators if card_id in self.faces]
        cards = [self.cards.cards[card_id] for card_id in squad.operators if card_id in self.cards.cards]
        piles = [
            (self.say(word), sum(pile.values()), self._pile(pile))
            for word, pile in (("site-deck", squad.deck), ("site-item-deck", squad.item_deck))
            if pile
        ]
        return {
            "id": name,
            "name": self._name(squad),
            "flavour": squad.flavour.in_language(self.language).value if squad.flavour else "",
            "squadpoints": sum(card.squadpoints for card in cards),
            "limit": mode.squad_squadpoints if mode else None,
            "field": operators[:field_positions],
            "save_zone": operators[field_positions:],
            "piles": piles,
        }

    def _pile(self, pile: Mapping[str, int]) -> list[dict[str, Any]]:
        """Return the cards of a pile for a list, by kind."""
        entries = [
            self._item(self.faces[card_id], number)
            for card_id, number in pile.items()
            if card_id in self.faces
        ]
        return sorted(entries, key=lambda entry: KINDS.index(entry["kind"]))

    def _team(self, name: str) -> dict[str, Any]:
        """Return the values of a TEAM for the template."""
        team = self.cards.teams[name]
        return {
            "id": name,
            "name": self._name(team),
            "logo": self.site.drawn.logos.get(name),
            "cards": [self._item(face) for face in self.job.faces if self._team_id(face.id) == name],
        }


def _cut(text: str) -> str:
    """Return a text in one line, as much of it as is shown beside a link."""
    words = " ".join(text.split())
    return words if len(words) <= _SUMMARY else f"{words[: _SUMMARY - 1].rstrip()}…"


# The help


_HELP_GROUPS = (
    ("Begin here", "."),
    ("How to", HOW_TO),
    ("The language by subject", LANGUAGE),
    ("Reference", REFERENCE),
)
"""The groups of help pages with their folders."""


def _help_pages(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the help pages of opforge, which are in English."""
    default_language, *_ = site.languages
    head = _PageFrame(site, "en" if "en" in site.languages else default_language)
    titles, findings = dict(sorted(other_pages().items(), key=_first_then_by_title)), finding_names()
    folders = {name: folder_of(name) for name in titles}

    def page(name: str, template: str, **values: object) -> tuple[str, bytes]:
        target = f"{HELP}/{name}.html"
        return target, fill_page(template, {**head.values(target, HELP), **values, "language": "en"})

    groups = []
    for label, folder in _HELP_GROUPS:
        names = [name for name in titles if folders[name] == folder]
        groups.append((label, [(f"{HELP}/{name}.html", inline(titles[name])) for name in names]))
    listed = [(f"{HELP}/findings/{name}.html", name, CATALOGUE[name].title) for name in findings]
    yield page("index", "help-index", groups=groups, findings=listed)
    for name in titles:
        content = help_page(other_page(name) or "", _link_resolver(folders[name], ""))
        yield page(name, "help-page", page=content)
    for name in findings:
        content = help_page(page_of_finding(name) or "", _link_resolver("findings", "../"))
        yield page(f"findings/{name}", "help-page", page=content)


def _first_then_by_title(page: tuple[str, str]) -> tuple[int, str]:
    """Return the sort key of a page: introductions first, then by title."""
    name, title = page
    return (_READ_FIRST.index(name) if name in _READ_FIRST else len(_READ_FIRST)), title


def _link_resolver(folder: str, top: str) -> Callable[[str], str | None]:
    """Return a function that resolves links of the help pages in a folder; ``top`` leads to the root."""

    def link_to(address: str) -> str | None:
        """Return the address on the site of a link in a help page; None if it leads to no page of it."""
        path, mark, anchor = address.partition("#")
        if not path:  # a heading of the same page
            return address
        linked_path, dot, suffix = normpath(join(folder, path)).rpartition(".")
        linked_folder, _, name = linked_path.rpartition("/")
        if suffix != "md" or not dot or linked_folder.startswith(".."):
            return None
        if linked_folder == "findings":
            is_finding = name in CATALOGUE
            return f"{top}findings/{name}.html{mark}{anchor}" if is_finding else None
        return f"{top}{name}.html{mark}{anchor}" if other_page(name) is not None else None

    return link_to
