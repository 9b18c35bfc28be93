/** Suggestions that are to be applied together, chosen on one page. */

export interface Chosen {
  comment: string;
  index: number;
  /** Of what was read: it is refused where the comment says something else by then. */
  digest: string;
}

export interface BatchStore {
  subscribe: (listener: () => void) => () => void;
  chosen: () => readonly Chosen[];
  toggle: (suggestion: Chosen) => void;
  clear: () => void;
}

export function createBatchStore(): BatchStore {
  const listeners = new Set<() => void>();
  let chosen: readonly Chosen[] = [];
  const set = (next: readonly Chosen[]) => {
    chosen = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    chosen: () => chosen,
    toggle(suggestion) {
      const rest = chosen.filter((each) => !isSame(each, suggestion));
      set(rest.length < chosen.length ? rest : [...chosen, suggestion]);
    },
    clear: () => set([]),
  };
}

export function isSame(one: Chosen, other: Chosen): boolean {
  return one.comment === other.comment && one.index === other.index;
}
