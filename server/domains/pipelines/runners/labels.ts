/**
 * Runner labels: plain words (`docker`) or `key=value`. A job may request `key=*`, so a runner is stored with
 * `key=*` beside each of its `key=value`; matching is then plain containment in SQL.
 */

/** What the queue compares: each label once, and `key=*` for each `key=value`. */
export function matchLabels(labels: readonly string[]): string[] {
  const result = new Set<string>();
  for (const label of labels) {
    result.add(label);
    const equals = label.indexOf("=");
    if (equals > 0) result.add(`${label.slice(0, equals)}=*`);
  }
  return [...result].sort();
}
