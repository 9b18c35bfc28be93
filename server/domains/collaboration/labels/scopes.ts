/** Scoped labels: of `priority::high` and `priority::low` an issue has at most one. */

/** What stands before the last `::`; null where nothing stands before or after it. */
export function scopeOf(name: string): string | null {
  const at = name.lastIndexOf("::");
  return at > 0 && at + 2 < name.length ? name.slice(0, at).trimEnd() || null : null;
}

/**
 * The labels of an issue that has `current`, after `added` were put on it, each once. A label that was added takes the place
 * of those of its scope, also of one that was added before it.
 */
export function withoutScopeRivals<L extends { id: string; name: string }>(
  current: readonly L[],
  added: readonly L[],
): L[] {
  const kept = new Map<string, L>();
  for (const label of current) kept.set(label.id, label);
  for (const label of added) {
    const scope = scopeKey(label.name);
    for (const { id, name } of kept.values())
      if (scope !== null && id !== label.id && scopeKey(name) === scope) kept.delete(id);
    kept.set(label.id, label);
  }
  return [...kept.values()];
}

function scopeKey(name: string): string | null {
  return scopeOf(name)?.toLowerCase() ?? null;
}
