/** When something that lets one in was used last, as tables of one's settings show it. */
import { text } from "../../text/settings.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

export const lastUsedColumn: Column<{ last_used_at: string | null }> = {
  title: text.lastUsed,
  cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : <span>{text.never}</span>),
};
