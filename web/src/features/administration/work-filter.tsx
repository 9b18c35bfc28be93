/** Which background work is listed: by state and kind, kept in the address. */
import { useSearchParams } from "react-router";
import { text } from "../../text/background-work.ts";
import { SelectField } from "../../ui/field.tsx";
import styles from "./background-work.module.css";
import type { WorkFilter } from "./use-background-work.ts";

type SetFilter = (name: "kind" | "state", value: string) => void;

export function useWorkFilter(): [WorkFilter, SetFilter] {
  const [query, setQuery] = useSearchParams();
  const chosen = <Words extends object>(words: Words, name: string) =>
    Object.keys(words).find((word) => word === query.get(name)) as keyof Words | undefined;
  const { other: _, ...kinds } = text.kinds;
  const kind = chosen(kinds, "kind");
  const state = chosen(text.filters, "state");
  const filter = { ...(kind === undefined ? {} : { kind }), ...(state === undefined ? {} : { state }) };
  return [
    filter,
    (name, value) =>
      setQuery((before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      }),
  ];
}

export function WorkFilterFields({ filter, onChange }: { filter: WorkFilter; onChange: SetFilter }) {
  return (
    <div className={styles.filters}>
      <SelectField
        label={text.state}
        value={filter.state ?? ""}
        onChange={(event) => onChange("state", event.target.value)}
      >
        <option value="">{text.anyState}</option>
        {Object.entries(text.filters).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.kind}
        value={filter.kind ?? ""}
        onChange={(event) => onChange("kind", event.target.value)}
      >
        <option value="">{text.anyKind}</option>
        {Object.entries(text.kinds).map(([value, word]) =>
          value === "other" ? null : (
            <option key={value} value={value}>
              {word}
            </option>
          ),
        )}
      </SelectField>
    </div>
  );
}
