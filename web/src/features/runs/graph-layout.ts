/** Where jobs stand in the graph of a run, and the curves between them. Pixels. */

export const jobWidth = 232;
export const jobHeight = 34;
const combinationHeight = 28;
/** The half shows that there is more to scroll to. */
const combinationsInSight = 8.5;
const columnGap = 44;
const jobGap = 8;
const headHeight = 34;

interface Stage {
  /** `below`: the height of what is shown below a job, none where it is not given. */
  jobs: readonly { key: string; needs: readonly string[]; below?: number }[];
}
interface Place {
  x: number;
  y: number;
}

export function placesOf(stages: readonly Stage[]) {
  const places = new Map<string, Place>();
  let height = headHeight;
  stages.forEach(({ jobs }, column) => {
    let y = headHeight;
    for (const { key, below = 0 } of jobs) {
      places.set(key, { x: column * (jobWidth + columnGap), y });
      y += jobHeight + below + jobGap;
    }
    height = Math.max(height, y);
  });
  return {
    places: places as ReadonlyMap<string, Place>,
    width: Math.max(0, stages.length * (jobWidth + columnGap) - columnGap),
    height,
  };
}

export interface Edge {
  from: string;
  to: string;
  /** Of an SVG path. */
  path: string;
}

export function edgesOf(stages: readonly Stage[], places: ReadonlyMap<string, Place>): Edge[] {
  const edges: Edge[] = [];
  for (const { jobs } of stages)
    for (const { key, needs } of jobs)
      for (const need of needs) {
        const [from, to] = [places.get(need), places.get(key)];
        if (from && to) edges.push({ from: need, to: key, path: curve(from, to) });
      }
  return edges;
}

/** Into the left side of a job, from the right side of one before it, or round the left of one in its own column. */
function curve(from: Place, to: Place): string {
  const middle = jobHeight / 2;
  const [y1, y2] = [from.y + middle, to.y + middle];
  if (to.x > from.x) {
    const start = from.x + jobWidth;
    const bend = to.x - columnGap / 2;
    return `M ${start} ${y1} H ${bend - 12} C ${bend} ${y1}, ${bend} ${y2}, ${to.x} ${y2}`;
  }
  const bend = to.x - 22;
  return `M ${from.x} ${y1} C ${bend} ${y1}, ${bend} ${y2}, ${to.x} ${y2}`;
}

/** Of the list of so many combinations below their job. */
export function listHeight(combinations: number): number {
  return Math.min(combinations, combinationsInSight) * combinationHeight;
}
