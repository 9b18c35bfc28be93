/** The lines of the graph, as the text of an SVG path. */
import { pointAt, type Layout, type Place, type Point } from "./layout.ts";
import type { Item } from "./tree.ts";

const word = ({ x, y }: Point) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** From each item to those below it. */
export function treeEdgePath({ places, of }: Layout): string {
  return places
    .flatMap((place) => {
      const above = place.item.parent && of.get(place.item.parent);
      return above ? [step(above, place)] : [];
    })
    .join("");
}

function step(above: Place, below: Place): string {
  const between = (above.distance + below.distance) / 2;
  const bends = [pointAt(above.angle, between), pointAt(below.angle, between)];
  return `M${word(above)}C${bends.map(word).join(" ")} ${word(below)}`;
}

/** The way from the repository to the chosen item, and curves to what it needs and from what needs it. */
export function relationEdgePath({ of }: Layout, chosen: Item, related: ReadonlySet<Item>): string {
  const end = of.get(chosen);
  if (!end) return "";
  const lines: string[] = [];
  const onTheWay = new Set<Item>();
  for (let item = chosen; item.parent; item = item.parent) {
    const [above, below] = [of.get(item.parent), of.get(item)];
    onTheWay.add(item.parent);
    if (above && below) lines.push(step(above, below));
  }
  for (const other of related) {
    const start = of.get(other);
    if (!start || onTheWay.has(other)) continue;
    lines.push(other.parent === chosen ? step(end, start) : curve(end, start));
  }
  return lines.join("");
}

/** Bent towards the middle, so that lines between neighbours do not lie on their ring. */
function curve(from: Place, to: Place): string {
  return `M${word(from)}Q${word({ x: (from.x + to.x) * 0.3, y: (from.y + to.y) * 0.3 })} ${word(to)}`;
}
