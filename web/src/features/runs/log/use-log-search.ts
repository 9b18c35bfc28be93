/** Searching a log while it is shown: a stretch of it in each pause, so that nothing stutters. */
import { useEffect, useMemo, useState } from "react";
import { createLogSearch, type Found, type LogSearch } from "./log-search.ts";
import type { LogStore } from "./log-store.ts";

const stretchMs = 8;

export interface LogSearchState {
  words: string;
  setWords: (words: string) => void;
  count: number;
  /** The one that is looked at. */
  current: Found | null;
  /** From 0; -1 when none is looked at. */
  index: number;
  /** To the next (1) or the one before (-1), round at the ends. */
  step: (by: 1 | -1) => Found | null;
}

/** What belongs to one search only. */
interface Of<T> {
  of: { finder: LogSearch } | null;
  value: T;
}

export function useLogSearch(store: LogStore, version: number): LogSearchState {
  const [words, setWords] = useState("");
  const search = useMemo(
    () => (words === "" ? null : { finder: createLogSearch(store, words) }),
    [store, words],
  );
  const [counted, setCounted] = useState<Of<number>>({ of: null, value: 0 });
  const [looked, setLooked] = useState<Of<Found | null>>({ of: null, value: null });
  const count = counted.of === search ? counted.value : 0;
  const current = looked.of === search ? looked.value : null;

  useEffect(() => {
    if (!search) return undefined;
    let timer = 0;
    const go = () => {
      const until = performance.now() + stretchMs;
      const isDone = search.finder.advance(() => performance.now() > until);
      setCounted({ of: search, value: search.finder.count() });
      if (!isDone) timer = window.setTimeout(go);
    };
    timer = window.setTimeout(go);
    return () => clearTimeout(timer);
  }, [search, version]);

  const index = search && current ? search.finder.indexFrom(current) : -1;
  return {
    words,
    setWords,
    count,
    current,
    index,
    step(by) {
      if (!search || count === 0) return null;
      const from = index === -1 && by === -1 ? 0 : index;
      const place = search.finder.at((from + by + count) % count) ?? null;
      setLooked({ of: search, value: place });
      return place;
    },
  };
}
