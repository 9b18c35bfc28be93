/** Whether changes stand below each other or side by side: as somebody last chose in this browser. */
export type DiffView = "unified" | "split";

const key = "forgeline-diff-view";

export function chosenView(): DiffView {
  return localStorage.getItem(key) === "split" ? "split" : "unified";
}

export function chooseView(view: DiffView): void {
  if (view === "split") localStorage.setItem(key, view);
  else localStorage.removeItem(key);
}
