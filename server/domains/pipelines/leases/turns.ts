/**
 * Who had a turn lately, so that those who wait get theirs one after the other where nobody has more jobs under way than others, as
 * with a single runner. Each server remembers its own offers, and a new one remembers none: at worst somebody has two turns in a row.
 */

/** How many owners and repositories are remembered. Whoever is not had no turn for at least half as many of others. */
const remembered = 128;
/** Of more organizations with runners of their own, those whose turns came first are forgotten. */
const rememberedScopes = 1_000;

/** One offer in so many goes to whoever has waited longest, whatever their share: so nobody waits for ever. */
export const longestWaitEvery = 16;

/** What a claim goes by, besides what is queued and held. */
export interface Turn {
  /** Owners and repositories that had a turn lately, by id: the higher, the later. */
  recent: Readonly<Record<string, number>>;
  /** This offer goes to the job whose turn came first, whoever has it. */
  longestWait: boolean;
}

export const nobodyServed: Turn = { recent: {}, longestWait: false };

export interface Turns {
  /** Turns are counted for each scope: that of the instance is ''. */
  next(scope: string): Turn;
  /** Its repository and its owner had their turn; null: the repository is gone. */
  served(scope: string, offer: { repositoryId: string; ownerId: string | null }): void;
}

export function createTurns(): Turns {
  const scopes = new Map<string, { recent: Record<string, number>; offers: number }>();
  return {
    next(scope) {
      const { recent, offers } = scopes.get(scope) ?? { recent: {}, offers: 0 };
      return { recent, longestWait: offers % longestWaitEvery === longestWaitEvery - 1 };
    },
    served(scope, { repositoryId, ownerId }) {
      const known = scopes.get(scope) ?? { recent: {}, offers: 0 };
      const offers = known.offers + 1;
      scopes.delete(scope);
      scopes.set(scope, { offers, recent: withLatest(known.recent, [ownerId, repositoryId], offers) });
      const [first] = scopes.keys();
      if (scopes.size > rememberedScopes && first !== undefined) scopes.delete(first);
    },
  };
}

function withLatest(recent: Readonly<Record<string, number>>, ids: readonly (string | null)[], turn: number) {
  const others = Object.entries(recent).filter(([id]) => !ids.includes(id));
  const latest = ids.flatMap((id) => (id === null ? [] : [[id, turn] as const]));
  return Object.fromEntries([...others, ...latest].slice(-remembered));
}
