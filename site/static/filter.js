/* A search box over the entries of one page. It needs no server and no index: the entries are
   in the page. A word finds what begins with it; accents and capitals do not count. */
"use strict";

const bare = (text) =>
  text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
const words = (text) => bare(text).split(/[^a-z0-9]+/).filter(Boolean);

function addFilter(place) {
  const items = [...document.querySelectorAll(place.dataset.filter)].map((item) => ({
    item,
    words: words(item.textContent + " " + (item.dataset.words || "")),
  }));
  const sections = [...new Set(items.flatMap(({ item }) => sectionsAround(item)))];

  const input = document.createElement("input");
  input.type = "search";
  input.id = "filter";
  input.autocomplete = "off";
  const label = document.createElement("label");
  label.htmlFor = input.id;
  label.textContent = place.dataset.label;
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  place.append(label, input, told);

  function apply() {
    const wanted = words(input.value);
    let shown = 0;
    for (const entry of items) {
      const fits = wanted.every((word) => entry.words.some((own) => own.startsWith(word)));
      entry.item.hidden = !fits;
      shown += fits;
    }
    for (const section of sections) {
      section.hidden = !section.querySelector(place.dataset.filter + ":not([hidden])");
    }
    told.textContent = `${shown} of ${items.length} shown`;
  }
  input.addEventListener("input", apply);
  apply();
}

/* The sections around an item, without the one that is the whole page. */
function sectionsAround(item) {
  const found = [];
  for (let at = item.closest("section"); at; at = at.parentElement.closest("section")) {
    found.push(at);
  }
  return found.slice(0, -1);
}

document.querySelectorAll("[data-filter]").forEach(addFilter);
