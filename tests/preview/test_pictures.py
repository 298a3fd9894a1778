"""The pictures and sheets of the preview: what is shown is what prints, while files are edited too."""

from __future__ import annotations

import asyncio
import io
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pypdfium2
import pytest
from PIL import Image, ImageChops
from starlette.testclient import TestClient

from tests.thoroughness import some
from toolkit.apps.cli.program import run_program
from toolkit.apps.preview import card_images as rooms
from toolkit.apps.preview.application import application
from toolkit.apps.preview.image_routes import HTML_POLICY
from toolkit.apps.preview.session import Session

pytest.importorskip("plutoprint")

T = TypeVar("T")
PATIENCE = 20.0
OWN = "http://127.0.0.1:8017"
PROJECT = "project: P\nlanguages: [en, de]\n"
ART = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88">'
    '<rect width="63" height="88" fill="{}"/></svg>'
)
CARDS = """cards:
  - id: slam
    kind: attack
    name: {en: Slam, de: Schlag}
    art: slam.svg
    effect: self gets +1 AP.
    quantity: 4
  - id: duck
    kind: defence
    name: {en: Duck, de: Ducken}
    effect: self gets +2 EP.
    quantity: 7
objectives:
  - id: hill
    name: {en: Hill, de: Hügel}
    value: 2
"""


class Visitor:
    """A page of a preview: what it asks for, and what it is told."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.events: list[tuple[str, Any]] = []
        self.session = Session(root)
        self.session.port = 8017
        self.session._watch = lambda: None  # type: ignore[method-assign]  # it is told, see `write`
        publish = self.session.publish

        def record(name: str, data: object) -> None:
            self.events.append((name, data))
            publish(name, data)

        self.session.publish = record  # type: ignore[method-assign]
        headers = {"Authorization": f"Bearer {self.session.token}", "Origin": OWN}
        self.client = TestClient(application(self.session), base_url=OWN, headers=headers)

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return answer

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        answer = self.client.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def faces(self, *ids: str, **more: Any) -> dict[str, str]:
        body = {"ids": ids, "lang": "en", "dpi": 96, **more}
        found: dict[str, str] = self.post("/api/faces", body)["faces"]
        return found

    def picture(self, digest: str, query: str = "dpi=96") -> Image.Image:
        answer = self.get(f"/face/{digest}.png?{query}")
        assert answer.headers["content-type"] == "image/png"
        return Image.open(io.BytesIO(answer.content)).convert("RGB")

    def write(self, name: str, text: str) -> None:
        """Write a file and wait until the preview has read it."""
        before = self.session.snapshot
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.session.changed()
        wait_until(lambda: self.session.snapshot is not before)

    def told(self, name: str, **wanted: Any) -> dict[str, Any]:
        """The last event of that name with these values, once it has come."""

        def found() -> list[Any]:
            events = [data for event, data in self.events if event == name]
            return [data for data in events if wanted.items() <= data.items()]

        wait_until(lambda: bool(found()))
        last: dict[str, Any] = found()[-1]
        return last


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def make_project(root: Path) -> None:
    (root / "opforge.yaml").write_text(PROJECT, encoding="utf-8")
    (root / "cards.yaml").write_text(CARDS, encoding="utf-8")
    (root / "slam.svg").write_text(ART.format("#ff00ff"), encoding="utf-8")


@contextmanager
def visiting(root: Path) -> Iterator[Visitor]:
    visitor = Visitor(root)
    with visitor.client:
        wait_until(lambda: visitor.session.snapshot.state["stage"] == "ready")
        yield visitor


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    make_project(tmp_path)
    with visiting(tmp_path) as visitor:
        yield visitor


def middle(picture: Image.Image) -> tuple[int, ...]:
    found = picture.getpixel((picture.width // 2, picture.height // 3))
    assert isinstance(found, tuple)
    return found


def test_faces_are_named_and_drawn(visitor: Visitor) -> None:
    faces = visitor.faces("duck", "slam", "nobody")
    assert list(faces) == ["duck", "slam"]
    assert visitor.picture(faces["slam"]).size == (238, 333)
    assert visitor.picture(faces["slam"], "dpi=384").size == (952, 1330)
    assert visitor.picture(faces["slam"], "dpi=192&bleed=1").size == (522, 711)
    assert middle(visitor.picture(faces["slam"])) == (255, 0, 255)
    answer = visitor.get(f"/face/{faces['slam']}.png?dpi=96")
    assert "immutable" in answer.headers["cache-control"]
    back = visitor.faces("slam", side="back")["slam"]
    assert visitor.picture(back).tobytes() != visitor.picture(faces["slam"]).tobytes()
    assert visitor.faces("duck", side="back")["duck"] == back
    assert visitor.faces("slam", lang="de")["slam"] != faces["slam"]


def test_what_is_no_picture_is_refused(visitor: Visitor) -> None:
    digest = visitor.faces("slam")["slam"]
    for name in ("0123.png", "0123.html", f"{digest.upper()}.png", f"..%2f{digest}.png", f"{digest}.pdf"):
        visitor.get(f"/face/{name}", 404)
    visitor.get(f"/face/{digest}.png?dpi=5000", 400)
    visitor.post("/api/faces", {"ids": ["slam"], "dpi": 97}, 400)
    visitor.post("/api/faces", {"ids": ["slam"] * 201}, 400)
    visitor.post("/api/faces", {"ids": "slam"}, 400)


def test_a_face_has_another_address_only_when_it_looks_different(visitor: Visitor) -> None:
    first = visitor.faces("slam", "duck")
    visitor.write("cards.yaml", "# a comment\n" + CARDS.replace("quantity: 4", "quantity: 2"))
    assert visitor.faces("slam", "duck") == first
    changes = (
        ("cards.yaml", CARDS.replace("+1 AP", "+3 AP")),
        ("slam.svg", ART.format("#00ff00")),
        ("templates/attack.html.jinja", "{% extends 'shipped/attack.html.jinja' %}"),
    )
    seen = {first["slam"]}
    for name, text in changes:
        visitor.write(name, text)
        now = visitor.faces("slam", "duck")
        assert now["slam"] not in seen, name
        assert (now["duck"] == first["duck"]) == (not name.startswith("templates")), name
        seen.add(now["slam"])
    assert middle(visitor.picture(now["slam"])) == (0, 255, 0)


def test_what_is_on_screen_is_drawn_anew_after_a_save(visitor: Visitor) -> None:
    before = visitor.faces("slam", "duck")
    visitor.picture(before["slam"])
    visitor.write("slam.svg", ART.format("#0000ff"))
    told = visitor.told("face", id="slam", lang="en")
    assert told["face"] != before["slam"]
    assert middle(visitor.picture(told["face"])) == (0, 0, 255)
    assert all(data["id"] != "duck" for name, data in visitor.events if name == "face")


def test_the_open_card_is_told_again_once_its_sizes_of_type_are_known(visitor: Visitor) -> None:
    card = visitor.get("/api/card/slam?lang=en").json()
    assert card["faces"]["en"] == {
        "face": card["faces"]["en"]["face"],
        "width": 63.0,
        "height": 88.0,
        "bleed": 3.0,
        "sizes": None,
        "last_good": None,
    }
    assert {*card["faces"], *card["back"]} == {"en", "de"}
    assert visitor.faces("slam") == {"slam": card["faces"]["en"]["face"]}
    visitor.events.clear()
    visitor.picture(card["faces"]["en"]["face"], "dpi=192")
    visitor.told("card", id="slam")
    sizes = visitor.get("/api/card/slam?lang=en").json()["faces"]["en"]["sizes"]
    assert {"region": "name", "size": 15.0, "smallest": 6.0} in sizes


def test_a_broken_template_keeps_the_last_good_picture(visitor: Visitor) -> None:
    good = visitor.get("/api/card/slam?lang=en").json()["faces"]["en"]["face"]
    dots = visitor.picture(good, "dpi=192").tobytes()
    visitor.write("templates/attack.html.jinja", "\n{{ face.nmae }}")
    visitor.told("card", id="slam")
    card = visitor.get("/api/card/slam?lang=en").json()
    wait_until(lambda: "template-error" in str(visitor.get("/api/card/slam?lang=en").json()["findings"]))
    card = visitor.get("/api/card/slam?lang=en").json()
    (finding,) = (one for one in card["findings"] if one["name"] == "template-error")
    assert (finding["file"], finding["line"]) == ("templates/attack.html.jinja", 2)
    now = card["faces"]["en"]
    assert now["last_good"] is not None
    answer = visitor.get(f"/face/{now['face']}.png?dpi=192")
    assert Image.open(io.BytesIO(answer.content)).convert("RGB").tobytes() == dots
    assert answer.headers["cache-control"] == "no-store"
    assert all(data["id"] != "slam" for name, data in visitor.events if name == "face")
    assert visitor.get(f"/face/{now['face']}.html", 422).json()["error"]
    duck = visitor.faces("duck")["duck"]
    assert "immutable" in visitor.get(f"/face/{duck}.png?dpi=96").headers["cache-control"]
    visitor.write("templates/attack.html.jinja", "{% extends 'shipped/attack.html.jinja' %}")
    mended = visitor.told("face", id="slam", lang="en")["face"]
    assert visitor.picture(mended, "dpi=192").tobytes() == dots
    assert "template-error" not in str(visitor.get("/api/card/slam?lang=en").json()["findings"])


def test_cards_on_screen_whose_template_breaks_are_marked_until_it_is_mended(visitor: Visitor) -> None:
    def unprinted() -> list[str]:
        return [row["id"] for row in visitor.get("/api/cards").json()["cards"] if row["unprinted"]]

    def reasons() -> list[str]:
        return [one["name"] for one in visitor.get("/api/findings").json()["findings"] if one["line"] == 2]

    visitor.picture(visitor.faces("slam", "duck")["slam"])
    assert unprinted() == []
    visitor.write("templates/attack.html.jinja", "\n{{ face.nmae }}")
    wait_until(lambda: unprinted() == ["slam"])
    assert reasons() == ["template-error"]
    visitor.write("cards.yaml", CARDS.replace("+1 AP", "+3 AP"))  # another save does not take it away
    assert unprinted() == ["slam"]
    (visitor.root / "templates/attack.html.jinja").unlink()
    visitor.session.changed()
    wait_until(lambda: unprinted() == [])
    assert reasons() == []
    visitor.write("templates/attack.html.jinja", "\n{{ face.nmae }}")
    visitor.faces("slam")  # drawn for the first time as it is now
    wait_until(lambda: unprinted() == ["slam"])


def test_a_card_that_was_never_printed_is_grey(visitor: Visitor) -> None:
    visitor.write("templates/attack.html.jinja", "{{ face.nmae }}")
    digest = visitor.faces("slam")["slam"]
    picture = visitor.picture(digest)
    assert picture.size == (238, 333)
    assert len(picture.getcolors() or ()) == 1


def test_a_broken_card_has_its_last_good_face(visitor: Visitor) -> None:
    good = visitor.faces("slam")
    visitor.write("cards.yaml", CARDS.replace("self gets +1 AP.", "self gets +1 XP."))
    assert visitor.session.snapshot.rows["slam"]["errors"] == 1
    assert visitor.faces("slam") == good
    assert visitor.get("/api/card/slam").json()["faces"]["en"]["last_good"] is not None
    visitor.write("cards.yaml", CARDS.replace("  - id: slam", "  - id: slam\n    sort: none"))
    assert visitor.faces("slam") == good
    visitor.write("cards.yaml", CARDS.replace("self gets +1 AP.", "self gets +4 AP."))
    assert visitor.faces("slam") != good
    assert visitor.get("/api/card/slam").json()["faces"]["en"]["last_good"] is None


def test_the_page_for_a_browser_has_its_own_policy(visitor: Visitor) -> None:
    hostile = (
        "{% extends 'shipped/attack.html.jinja' %}{% block words %}{{ super() }}"
        "<script>document.title = 'taken'</script></iframe><img src='https://a.example/x.png'>{% endblock %}"
    )
    visitor.write("templates/attack.html.jinja", hostile)
    answer = visitor.get(f"/face/{visitor.faces('slam')['slam']}.html")
    assert answer.headers["content-security-policy"] == HTML_POLICY
    assert "script" not in HTML_POLICY
    assert HTML_POLICY.endswith("sandbox")
    assert "data:font/ttf;base64," in answer.text
    assert "opforge:" not in answer.text
    assert "taken" in answer.text
    assert "a.example" not in answer.text


def test_the_fit_of_the_set_is_that_of_the_command(visitor: Visitor) -> None:
    assert visitor.post("/api/fit", {})["findings"] == []
    flavour = f"flavour: {{en: {'far ' * 900}, de: weit}}"
    visitor.write("cards.yaml", CARDS.replace("quantity: 4", f"quantity: 4\n    {flavour}"))
    (found,) = visitor.post("/api/fit", {})["findings"]
    assert (found["name"], found["card"], found["file"]) == ("text-overflow", "slam", "cards.yaml")


def test_the_fit_of_the_set_is_not_given_up_for_an_event_that_is_no_save(visitor: Visitor) -> None:
    session, reading = visitor.session, visitor.session.in_reader

    async def reading_while_scenarios_are_played(*args: Any) -> Any:
        session.events.publish("card", {"id": "slam"})
        return await reading(*args)

    session.in_reader = reading_while_scenarios_are_played  # type: ignore[method-assign]
    assert visitor.post("/api/fit", {})["findings"] == []


SHEETS: tuple[tuple[str, list[str]], ...] = (
    ("", []),
    ("sides=both&marks=none", ["--backs", "--marks", "none"]),
    ("lang=de&low_ink=1&kind=attack", ["--lang", "de", "--low-ink", "--kind", "attack"]),
    ("fold=1&proof=1", ["--fold", "--proof"]),
    ("layout=poker-a3&card=duck&stamp=1", ["--layout", "poker-a3", "--card", "duck", "--stamp"]),
)


@pytest.mark.parametrize(("query", "options"), some(SHEETS, 2, 3, 4))
def test_a_sheet_is_the_one_of_the_command(
    visitor: Visitor, query: str, options: list[str], tmp_path: Path
) -> None:
    sheet = visitor.get(f"/api/sheet?{query}").json()
    pages = [visitor.get(f"/sheet/{sheet['key']}/{number + 1}.png") for number in range(len(sheet["pages"]))]
    pdf = visitor.get(f"/sheet/{sheet['key']}.pdf").content
    written = tmp_path / "written.pdf"
    assert run_program(["sheet", str(tmp_path), "-o", str(written), *options], {}) == 0
    assert pdf == written.read_bytes()
    with pypdfium2.PdfDocument(pdf) as document:
        assert len(document) == len(pages)
        for page, answer, described in zip(document, pages, sheet["pages"], strict=True):
            shown = Image.open(io.BytesIO(answer.content)).convert("RGB")
            printed = page.render(scale=96 / 72).to_pil().convert("RGB")
            assert shown.size == printed.size
            differences = ImageChops.difference(shown, printed).getextrema()
            assert max(most for _, most in differences) <= 1, "a shade may be rounded otherwise"
            points = [described[side] / 25.4 * 72 for side in ("width", "height")]
            assert points == pytest.approx(page.get_size(), abs=0.01)


def test_a_sheet_for_two_players_has_what_their_squads_need(visitor: Visitor) -> None:
    """Those of `first_game`, else any two: as `opforge sheet --for-two`."""
    operator = "{id: ID, kind: operator, team: own, name: ID, squadpoints: 1, ap: 1, ep: 1, dp: 1, mp: 1}"
    operators = "".join(f"  - {operator.replace('ID', name)}\n" for name in ("ann", "bob"))
    squads = "  - {id: red, name: Red, operators: [ann], deck: {slam: 2}}\n"
    squads += "  - {id: blue, name: Blue, operators: [bob], deck: {slam: 1, duck: 3}}\n"
    visitor.write("squads.yaml", f"cards:\n{operators}teams:\n  - {{id: own, name: Own}}\nsquads:\n{squads}")
    counts = [visitor.get(f"/api/sheet{query}").json()["cards"] for query in ("", "?for_two=1")]
    assert counts == [14, 2 + 3 + 3]


def test_slots_are_where_the_cards_are(visitor: Visitor) -> None:
    sheet = visitor.get("/api/sheet").json()
    (first, second) = sheet["pages"]
    assert [slot["id"] for slot in first["slots"] + second["slots"]] == ["slam"] * 4 + ["duck"] * 7 + ["hill"]
    assert sheet["cards"] == 12
    page = Image.open(io.BytesIO(visitor.get(f"/sheet/{sheet['key']}/1.png?dpi=150").content)).convert("RGB")
    for slot in first["slots"]:
        dots = ((slot["x"] + slot["width"] / 2), slot["y"] + slot["height"] / 3)
        dot = page.getpixel((round(dots[0] / 25.4 * 150), round(dots[1] / 25.4 * 150)))
        assert (dot == (255, 0, 255)) == (slot["id"] == "slam")
    assert (first["slots"][0]["x"], first["slots"][0]["width"]) == (10.5, 63.0)
    assert first["slots"][1]["x"] > first["slots"][0]["x"]
    assert first["slots"][3]["y"] > first["slots"][0]["y"]


def test_a_sheet_has_another_key_when_something_changed(visitor: Visitor) -> None:
    first = visitor.get("/api/sheet").json()["key"]
    assert visitor.get("/api/sheet").json()["key"] == first
    assert visitor.get("/api/sheet?proof=1").json()["key"] != first
    visitor.write("slam.svg", ART.format("#00ff00"))
    assert visitor.get("/api/sheet").json()["key"] != first


def test_the_gallery_of_looks_follows_the_project(visitor: Visitor) -> None:
    first = visitor.get("/api/looks").json()
    assert visitor.get("/api/looks").json() == first
    assert first["looks"] == visitor.get("/api/state").json()["project"]["looks"]
    picture = Image.open(io.BytesIO(visitor.get(f"/looks/{first['key']}.png").content))
    assert picture.height > 4 * picture.width / 5
    before = visitor.faces("slam")
    visitor.write("opforge.yaml", PROJECT + 'look: {palette: {attack: "#123456"}}\n')
    assert visitor.faces("slam") != before
    assert visitor.get("/api/looks").json()["key"] != first["key"]
    assert visitor.get("/api/looks?lang=xx", 422).json()["error"]
    visitor.get("/looks/0123.png", 404)


def test_cards_that_cannot_be_printed_are_left_out_of_sheets(visitor: Visitor) -> None:
    visitor.write("templates/attack.html.jinja", "{{ face.nmae }}")
    before = visitor.get("/api/sheet").json()
    visitor.get(f"/sheet/{before['key']}/1.png")
    key = visitor.told("sheet")["key"]
    sheet = visitor.get("/api/sheet").json()
    assert sheet["key"] == key != before["key"]
    assert [slot["id"] for page in sheet["pages"] for slot in page["slots"]] == ["duck"] * 7 + ["hill"]
    assert "template-error" in {finding["name"] for finding in sheet["findings"]}
    with pypdfium2.PdfDocument(visitor.get(f"/sheet/{key}.pdf").content) as document:
        assert len(document) == len(sheet["pages"]) == 1


IMPOSSIBLE = (
    *("layout=nine", "kind=hero", "card=nobody", "lang=xx", "since=HEAD"),
    *("marks=many", "paper=b9", "fold=yes", "a=b", "theme=x", "look=x"),
)


def test_sheets_that_cannot_be_are_refused(visitor: Visitor) -> None:
    answers = {query: visitor.client.get(f"/api/sheet?{query}") for query in IMPOSSIBLE}
    assert {query: answer.status_code for query, answer in answers.items()} == dict.fromkeys(IMPOSSIBLE, 422)
    assert [query for query, answer in answers.items() if not answer.json()["error"]] == []


def test_nothing_to_print(visitor: Visitor) -> None:
    sheet = visitor.get("/api/sheet?kind=item", 422).json()
    assert "no card is chosen" in sheet["error"]
    visitor.get("/sheet/0123/1.png", 404)
    visitor.get("/sheet/0123.pdf", 404)
    key = visitor.get("/api/sheet").json()["key"]
    visitor.get(f"/sheet/{key}/0.png", 404)
    visitor.get(f"/sheet/{key}/3.png", 404)


def test_only_what_changed_since_a_revision_and_never_a_folder_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    make_project(project)
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-C", str(project))
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first"), ("branch", "printed")):
        subprocess.run((*git, *command), check=True)
    (elsewhere / "printed").mkdir(parents=True)
    with visiting(project) as visitor:
        visitor.write("cards.yaml", CARDS.replace("+1 AP", "+3 AP"))
        for folder in (project, elsewhere):
            monkeypatch.chdir(folder)
            sheet = visitor.get("/api/sheet?since=printed").json()
            first, *lists = sheet["pages"]
            assert [slot["id"] for slot in first["slots"]] == ["slam"] * 4
            assert [page["side"] for page in lists] == ["list"]
            visitor.get(f"/sheet/{sheet['key']}/2.png")


def in_loop(visitor: Visitor, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of a coroutine in the event loop of a session; what never ends is a failure."""

    async def bounded() -> T:
        return await asyncio.wait_for(function(), PATIENCE)

    assert visitor.client.portal is not None
    return visitor.client.portal.call(bounded)


class Order:
    """A session in which nothing is read, and drawings wait for a sign; it notes what is drawn."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.drawn: list[list[str]] = []
        self.go = threading.Event()

    def draw(self, screen: Any) -> Callable[..., Any]:
        usual = screen.draw

        def draw(subjects: Any, *more: Any) -> Any:
            self.drawn.append([subject.id for subject in subjects])
            assert self.go.wait(PATIENCE)
            return usual(subjects, *more)

        return draw

    async def begun(self) -> None:
        """Wait for the first drawing."""
        while not self.drawn:
            await asyncio.sleep(0.01)


def test_what_is_asked_for_last_is_drawn_first(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, order = visitor.session.pictures, Order(visitor)
    named = visitor.session._reader.submit(pictures.current_faces, ["slam", "duck", "hill"], "en").result()
    monkeypatch.setattr(pictures.screen(), "draw", order.draw(pictures.screen()))
    monkeypatch.setattr(rooms, "BATCH", 1)

    async def ask() -> None:
        asked = [asyncio.create_task(pictures.picture(named["slam"].front))]
        await order.begun()
        pictures.note_shown(
            {rooms.Place("hill", "en", "front"): named["hill"].front}, 96
        )  # nobody waits for it
        asked.append(asyncio.create_task(pictures.picture(named["hill"].front, 384)))
        asked.append(asyncio.create_task(pictures.picture(named["duck"].front)))
        asked.append(asyncio.create_task(pictures.picture(named["slam"].front)))
        await asyncio.sleep(0.05)
        await pictures.redraw_open()
        await pictures.redraw_shown()
        order.go.set()
        assert all(exact for _, exact in await asyncio.gather(*asked))

    in_loop(visitor, ask)
    assert order.drawn == [["slam"], ["duck"], ["hill"]]


def test_a_drawing_that_fails_does_not_hold_up_others(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures, log = visitor.session.pictures, list[str]()
    named = visitor.session._reader.submit(pictures.current_faces, ["slam", "duck"], "en").result()
    usual = pictures.screen().draw

    def draw(subjects: Any, *more: Any) -> Any:
        if subjects[0].id == "duck":
            raise RuntimeError("out of ink")
        return usual(subjects, *more)

    monkeypatch.setattr(pictures.screen(), "draw", draw)
    monkeypatch.setattr(visitor.session, "log", log.append)
    monkeypatch.setattr(rooms, "BATCH", 1)

    async def ask() -> list[bool]:
        asked = [pictures.picture(named[id].front) for id in ("slam", "duck")]
        return [exact for _, exact in await asyncio.gather(*asked)]

    assert in_loop(visitor, ask) == [True, False]
    assert log == [
        "A card could not be drawn: RuntimeError: out of ink. This is a bug in opforge, not in your cards."
    ]


def test_after_a_change_the_open_card_is_waited_for(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures, order = visitor.session.pictures, Order(visitor)
    told, _ = visitor.session._reader.submit(pictures.card_pictures, "slam").result()
    monkeypatch.setattr(pictures.screen(), "draw", order.draw(pictures.screen()))

    async def follow() -> None:
        pictures.note_open_card("slam", "en", told)  # the page has asked before the change is followed
        await order.begun()
        following = asyncio.create_task(pictures.redraw_open())
        await asyncio.sleep(0.2)
        assert not following.done()
        order.go.set()
        await following
        assert pictures.report(told["faces"]["en"]["face"]) is not None

    in_loop(visitor, follow)


def test_only_so_much_is_kept(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = visitor.session.pictures
    digests = visitor.faces("slam", "duck", "hill")
    for digest in digests.values():
        visitor.picture(digest)
    kept = sum(map(len, pictures._cache.values()))
    assert pictures._cache_bytes == kept
    monkeypatch.setattr(rooms, "CACHE_BYTES", kept // 2)
    visitor.picture(digests["slam"], "dpi=192")
    assert pictures._cache_bytes == sum(map(len, pictures._cache.values())) <= kept // 2
    assert visitor.picture(digests["duck"]).size == (238, 333)


def test_a_face_that_lost_its_address_does_not_hold_up_others(visitor: Visitor) -> None:
    pictures = visitor.session.pictures
    named = visitor.session._reader.submit(pictures.current_faces, ["slam", "duck"], "en").result()
    gone, here = (rooms._PictureKey(named[id].front, 192, False) for id in ("slam", "duck"))
    del pictures._faces[gone.digest]  # as the reading thread does when there are too many
    in_loop(visitor, lambda: pictures._draw_batch([gone, here]))
    assert here in pictures._cache
