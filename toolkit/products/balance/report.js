"use strict";
document.querySelectorAll("table").forEach(function (table) {
  var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
  var body = table.tBodies[0];

  function key(row, column) {
    var text = row.cells[column].dataset.sort;
    return text !== "" && !isNaN(text) ? Number(text) : text;
  }

  function compare(a, b) {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  }

  function sortBy(column) {
    var ascending = heads[column].getAttribute("aria-sort") === "descending";
    var rows = Array.prototype.slice.call(body.rows);
    if (column === 0 && !heads[0].hasAttribute("aria-sort")) ascending = true;
    rows.sort(function (one, other) {
      return compare(key(one, column), key(other, column)) * (ascending ? 1 : -1);
    });
    heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
    heads[column].setAttribute("aria-sort", ascending ? "ascending" : "descending");
    rows.forEach(function (row) { body.appendChild(row); });
  }

  heads.forEach(function (head, column) {
    head.querySelector("button").addEventListener("click", function () { sortBy(column); });
  });
});
