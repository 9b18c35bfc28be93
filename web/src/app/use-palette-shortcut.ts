/** Ctrl+K or ⌘K anywhere, and `/` outside of fields, open the palette. */
import { useEffect, useEffectEvent } from "react";

export function usePaletteShortcut(open: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isChord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (!isChord && !(event.key === "/" && !isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
