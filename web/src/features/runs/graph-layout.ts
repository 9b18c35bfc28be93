/** Where jobs stand in the graph of a run, and the curves between them. Pixels. */

const jobWidth = 232;
export const jobHeight = 34;
const combinationHeight = 28;
/** The half shows that there is more to scroll to. */
const combinationsInSight = 8.5;
const columnGap = 44;
const jobGap = 8;
const headHeight = 34;

/** Narrower ones are not worth saving a scroll. */
const leastJobWidth = 180;

interface Node {
  key: string;
  needs: readonly string[];
  /** The height of what is shown below it, none where it is not given. */
  below?: number;
}
interface Stage {
  jobs: readonly Node[];
}
interface Place {
  x: number;
  y: number;
}

/** A stage has a column for each job in a chain of needs inside it. `room`: the width that there is; more is scrolled to. */
export function placesOf(stages: readonly Stage[], room = Infinity) {
  const levels = stages.map(({ jobs }) => levelsOf(jobs));
  const columns = levels.map((ofStage) => Math.max(0, ...ofStage.values()) + 1);
  const columnWidth = widthOf(
    columns.reduce((sum, count) => sum + count, 0),
    room,
  );
  const pitch = columnWidth + columnGap;
  const places = new Map<string, Place>();
  let height = headHeight;
  let column = 0;
  stages.forEach(({ jobs }, index) => {
    const ends: number[] = [];
    for (const { key, below = 0 } of jobs) {
      const level = levels[index]?.get(key) ?? 0;
      const y = ends[level] ?? headHeight;
      places.set(key, { x: (column + level) * pitch, y });
      ends[level] = y + jobHeight + below + jobGap;
    }
    height = Math.max(height, ...ends.filter(Boolean));
    column += columns[index] ?? 1;
  });
  return {
    places: places as ReadonlyMap<string, Place>,
    width: Math.max(0, column * pitch - columnGap),
    height,
    columnWidth,
    /** Of each stage. */
    widths: columns.map((count) => count * pitch - columnGap),
  };
}

/** Whatever a job needs of its own stage stands in a column before it. */
function levelsOf(jobs: readonly Node[]): ReadonlyMap<string, number> {
  const own = new Map(jobs.map((job) => [job.key, job]));
  const levels = new Map<string, number>();
  const levelOf = (key: string): number => {
    const known = levels.get(key);
    if (known !== undefined) return known;
    // No file has a cycle; a plan that had one must not hang the page.
    levels.set(key, 0);
    const before = own.get(key)?.needs.filter((need) => own.has(need)) ?? [];
    const level = before.length === 0 ? 0 : Math.max(...before.map(levelOf)) + 1;
    levels.set(key, level);
    return level;
  };
  for (const { key } of jobs) levelOf(key);
  return levels;
}

/** As narrow as it must be for all columns to be in sight; where that is too narrow, as wide as ever. */
function widthOf(columns: number, room: number): number {
  const fitting = Math.floor((room + columnGap) / Math.max(1, columns)) - columnGap;
  return fitting < leastJobWidth ? jobWidth : Math.min(jobWidth, fitting);
}

/** How far to scroll so that `left` to `left + columnWidth` is in sight and no column is cut at the left. */
export function scrollOf(left: number, { columnWidth, room }: { columnWidth: number; room: number }): number {
  const pitch = columnWidth + columnGap;
  return Math.max(0, Math.ceil((left + columnWidth - room) / pitch)) * pitch;
}

/** What the graph is made wider, so that it can be scrolled to its end without a column cut at the left. */
export function fillerOf(
  width: number,
  { columnWidth, room }: { columnWidth: number; room: number },
): number {
  const pitch = columnWidth + columnGap;
  const over = width - room;
  return over <= 0 || !Number.isFinite(room) ? 0 : Math.ceil(over / pitch) * pitch - over;
}

export interface Edge {
  from: string;
  to: string;
  /** Of an SVG path. */
  path: string;
}

export function edgesOf(
  stages: readonly Stage[],
  { places, columnWidth }: Pick<ReturnType<typeof placesOf>, "places" | "columnWidth">,
): Edge[] {
  const edges: Edge[] = [];
  for (const { jobs } of stages)
    for (const { key, needs } of jobs)
      for (const need of needs) {
        const [from, to] = [places.get(need), places.get(key)];
        if (from && to) edges.push({ from: need, to: key, path: curve(from, to, columnWidth) });
      }
  return edges;
}

/** Into the left side of a job, from the right side of one before it. */
function curve(from: Place, to: Place, columnWidth: number): string {
  const middle = jobHeight / 2;
  const [y1, y2] = [from.y + middle, to.y + middle];
  const bend = to.x - columnGap / 2;
  return `M ${from.x + columnWidth} ${y1} H ${bend - 12} C ${bend} ${y1}, ${bend} ${y2}, ${to.x} ${y2}`;
}

/** Of the list of so many combinations below their job. */
export function listHeight(combinations: number): number {
  return Math.min(combinations, combinationsInSight) * combinationHeight;
}
