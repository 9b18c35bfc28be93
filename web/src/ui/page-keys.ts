/** Single keys that do something on one page only. The frame listens, where it listens for those of every page. */
import { useEffect, useEffectEvent } from "react";

type Keys = Readonly<Record<string, () => void>>;

const pages = new Set<(key: string) => boolean>();

/** While the component is on the page. */
export function usePageKeys(keys: Keys): void {
  const press = useEffectEvent((key: string) => {
    keys[key]?.();
    return keys[key] !== undefined;
  });
  useEffect(() => {
    const onKey = (key: string) => press(key);
    pages.add(onKey);
    return () => void pages.delete(onKey);
  }, []);
}

/** Whether the page has something for this key. */
export function pressPageKey(key: string): boolean {
  return [...pages].some((press) => press(key));
}
