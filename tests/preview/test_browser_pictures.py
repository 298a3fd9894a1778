"""The HTML face of a stranger's template in a real browser: nothing in it runs, and it asks for nothing."""

from __future__ import annotations

from tests.preview.conftest import Visits

HOSTILE = """{% extends "shipped/operator.html.jinja" %}
{% block words %}{{ super() }}
</iframe><script>parent.document.title = "taken"; document.title = "taken"</script>
<img src="https://a.example/x.png" onerror="parent.document.title = 'taken'">
<svg onload="document.title = 'taken'"><image href="https://a.example/y.png"/></svg>
<style>@import "https://a.example/z.css"; body { background: url(https://a.example/b.png) }</style>
<meta http-equiv="refresh" content="0; url=https://a.example/">
<form action="https://a.example/"><input name="q" autofocus></form>
<a id="away" href="https://a.example/" style="position: absolute; top: 0; left: 0">away</a>
{% endblock %}
"""


def test_a_hostile_template_is_shown_and_does_nothing(visits: Visits) -> None:
    templates = visits.preview.file("templates")
    templates.mkdir()
    visits.allow(r"^console: (Refused|Blocked|Loading|Executing|Framing|Applying|.*Content Security Policy)")
    (templates / "operator.html.jinja").write_text(HOSTILE, encoding="utf-8")
    page = visits.open("/card/viper")
    title = page.title()
    page.get_by_text("browser", exact=True).click()
    frame = page.frame_locator("iframe[sandbox]")
    frame.get_by_text("Viper").first.wait_for()
    assert "Viper" in frame.locator("body").inner_text()
    page.evaluate(
        "address => { const frame = document.createElement('iframe'); frame.src = address;"
        " document.body.append(frame); return new Promise(done => { frame.onload = done }) && null }",
        page.locator("iframe[sandbox]").get_attribute("src"),
    )  # without the sandbox of the page its own policy is left
    page.wait_for_timeout(500)
    assert len(page.frames) == 3
    assert page.title() == title
    assert "away" in frame.locator("body").inner_text()
    assert "taken" not in frame.locator("body").inner_text()
    assert all(one.url.startswith(visits.preview.origin) or one.url == "about:blank" for one in page.frames)
