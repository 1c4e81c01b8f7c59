let finds: number[] = [];
let currentFind = -1;
const searchBox = element("search", HTMLInputElement);
const found = element("found", HTMLOutputElement);

/** Everything whose row or sentence has all of the words. */
function search(query: string): void {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  finds = [];
  currentFind = -1;
  if (words.length > 0) {
    const lower = texts.map((text) => text.toLowerCase());
    const rowNames = report.rows.map(({ label }) => label.toLowerCase());
    for (let item = 0; item < itemCount; item++) {
      if (!isOwn(item)) continue;
      const row = rowNames[itemRow[item] ?? -1] ?? "";
      const text = lower[report.items.text[item] ?? -1] ?? "";
      if (words.every((word) => text.includes(word) || row.includes(word))) finds.push(item);
    }
  }
  tellFinds();
  requestDraw();
}

function tellFinds(): void {
  const nobody = searchBox.value.trim() === "" ? "" : "nothing";
  found.value =
    finds.length === 0
      ? nobody
      : `${currentFind < 0 ? "" : `${currentFind + 1} of `}${finds.length.toLocaleString("en-US")}`;
  for (const id of ["previous", "next"])
    element(id, HTMLButtonElement).disabled = finds.length === 0;
}

/** The next find (1) or the one before (−1), round the end; the first one is the first of what is shown. */
function nextFind(direction: 1 | -1): void {
  if (finds.length === 0) return;
  if (currentFind < 0) {
    const shown = finds.findIndex((item) => (itemAt[item] ?? 0) >= view.from);
    currentFind = Math.max(0, shown);
  } else {
    currentFind = (currentFind + direction + finds.length) % finds.length;
  }
  tellFinds();
  chooseItem(finds[currentFind] ?? 0);
}
