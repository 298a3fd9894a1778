(function () {
  "use strict";
  var form = document.querySelector(".filters");

  function plain(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/ß/g, "ss").toLowerCase();
  }

  function startFilters() {
    var items = Array.prototype.slice.call(document.querySelectorAll("[data-id]"));
    var groups = Array.prototype.slice.call(document.querySelectorAll(".group"));
    var count = document.querySelector(".count");
    var nothing = document.querySelector(".nothing");
    var everything = count.textContent;
    var fields = Array.prototype.slice.call(form.querySelectorAll("input, select"));
    var texts = {};
    Object.keys(window.opforgeTexts || {}).forEach(function (id) {
      texts[id] = plain(window.opforgeTexts[id]);
    });

    function matches(item, wanted) {
      return fields.every(function (field) {
        var value = wanted[field.name];
        if (!value) return true;
        if (field.name === "q") {
          var text = texts[item.dataset.id] || "";
          return plain(value).split(/\s+/).every(function (word) { return text.indexOf(word) >= 0; });
        }
        return item.dataset[field.name].split("|").indexOf(value) >= 0;
      });
    }

    function show() {
      var wanted = {};
      fields.forEach(function (field) { wanted[field.name] = field.value.trim(); });
      var shown = 0;
      items.forEach(function (item) {
        item.hidden = !matches(item, wanted);
        if (!item.hidden) shown += 1;
      });
      groups.forEach(function (group) {
        var left = group.querySelectorAll("[data-id]:not([hidden])").length;
        group.hidden = left === 0;
        group.querySelector("h2 small").textContent = left;
      });
      count.textContent = shown === items.length ? everything
        : count.dataset.text.replace("{number}", shown).replace("{all}", items.length);
      nothing.hidden = shown > 0;
      return wanted;
    }

    function remember() {
      var wanted = show();
      var state = new URLSearchParams();
      Object.keys(wanted).forEach(function (name) { if (wanted[name]) state.set(name, wanted[name]); });
      var fragment = state.toString();
      history.replaceState(null, "", location.href.split("#")[0] + (fragment ? "#" + fragment : ""));
    }

    function restore() {
      var state = new URLSearchParams(location.hash.slice(1));
      fields.forEach(function (field) {
        field.value = state.get(field.name) || "";
        if (field.value === "" && field.tagName === "SELECT") field.selectedIndex = 0;
      });
      show();
    }

    form.addEventListener("input", remember);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("reset", function () { setTimeout(remember, 0); });
    window.addEventListener("hashchange", restore);
    document.addEventListener("keydown", function (event) {
      if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
        event.preventDefault();
        form.elements.q.focus();
      }
    });
    form.hidden = false;
    restore();
  }

  /* The same cards in the other language, and the ruling that was open. */
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[data-keep]");
    if (link && location.hash) link.hash = location.hash;
  });

  function openTarget() {
    var target = document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  }

  document.addEventListener("keydown", function (event) {
    var way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    var plainKey = !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey);
    var link = way && plainKey && document.querySelector(".around [rel=" + way + "]");
    if (link && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) link.click();
  });

  if (form) startFilters();
  else {
    window.addEventListener("hashchange", openTarget);
    openTarget();
  }
})();
