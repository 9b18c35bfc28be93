/** Chooses the order of a list of issues or merge requests. */
import { text } from "../../text/list-filters.ts";
import { ChoiceMenu } from "./choice-menu.tsx";
import type { Order } from "./order.ts";

export interface SortMenuProps {
  order: Order;
  /** With nothing for what a list does by itself. */
  onChange: (order: { sort: string; direction: string }) => void;
}

export function SortMenu({ order: { sort = "created", direction = "desc" }, onChange }: SortMenuProps) {
  const change = (next: string) => {
    const [by = "", to = ""] = next.split("-");
    onChange({ sort: by === "created" ? "" : by, direction: to === "desc" ? "" : to });
  };
  return (
    <ChoiceMenu label={text.sort} value={`${sort}-${direction}`} choices={text.sorts} onChange={change} />
  );
}
