/** Whether single keys do something, in this browser: they are in the way of who speaks to the machine. */
const key = "forgeline-single-keys";

export function hasSingleKeys(): boolean {
  return localStorage.getItem(key) !== "off";
}

export function chooseSingleKeys(has: boolean): void {
  if (has) localStorage.removeItem(key);
  else localStorage.setItem(key, "off");
}
