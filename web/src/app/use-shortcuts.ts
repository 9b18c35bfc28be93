/**
 * Keys that work on every page: Ctrl+K or ⌘K anywhere; outside of fields and dialogs also `/` (the palette), `?` (what the
 * keys are), `c` where something can be created, `g` with a letter after it (a page) and the keys of the page itself.
 */
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { pressPageKey } from "../ui/page-keys.ts";
import { globalShortcuts, newPageAt, repositoryShortcuts } from "./go-to-shortcuts.ts";
import { hasSingleKeys } from "./single-keys.ts";
import { useRepositoryOfAddress } from "./use-repository-of-address.ts";

/** How long after `g` its letter may come. */
const letterWithinMs = 1_500;

export interface ShortcutActions {
  openPalette: () => void;
  openHelp: () => void;
}

export function useShortcuts({ openPalette, openHelp }: ShortcutActions): void {
  const navigate = useNavigate();
  const repository = useRepositoryOfAddress();
  const newPage = newPageAt(useLocation().pathname);
  const goSince = useRef(-Infinity);
  const goTo = (letter: string): boolean => {
    const shortcuts = [
      ...globalShortcuts(),
      ...(repository ? repositoryShortcuts(`${repository.owner}/${repository.repo}`) : []),
    ];
    const found = shortcuts.find(({ key }) => key === letter);
    if (found) void navigate(found.to);
    return found !== undefined;
  };
  const onSingleKey = (key: string, atMs: number): boolean => {
    const isLetterOfGo = atMs - goSince.current < letterWithinMs;
    goSince.current = key === "g" ? atMs : -Infinity;
    if (isLetterOfGo) return goTo(key);
    if (key === "/") openPalette();
    else if (key === "?") openHelp();
    else if (key === "c" && newPage !== undefined) void navigate(newPage);
    else return pressPageKey(key);
    return true;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
    } else if (!isModified && !isTyping(event.target) && hasSingleKeys()) {
      if (onSingleKey(event.key, event.timeStamp)) event.preventDefault();
    }
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Also in a menu, whose items are found by their letters, and in a dialog, which is answered first. */
function isTyping(target: EventTarget | null): boolean {
  return (
    document.querySelector("dialog[open]") !== null ||
    (target instanceof HTMLElement &&
      (target.isContentEditable ||
        target.closest("[role=menu], [role=listbox]") !== null ||
        /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)))
  );
}
