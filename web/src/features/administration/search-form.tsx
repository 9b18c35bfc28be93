/** Searches a list; what was searched stands in the address, as `q`. */
import { useSearchParams } from "react-router";
import { text } from "../../text/administration.ts";
import { TextField } from "../../ui/field.tsx";

export function SearchForm({ hint }: { hint: string }) {
  const [query, setQuery] = useSearchParams();
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("q");
        setQuery(typeof typed === "string" && typed !== "" ? { q: typed } : {});
      }}
    >
      <TextField
        name="q"
        type="search"
        label={text.search}
        placeholder={hint}
        maxLength={200}
        defaultValue={query.get("q") ?? ""}
      />
    </form>
  );
}

export function useSearched(): { q?: string } {
  const [query] = useSearchParams();
  const q = query.get("q");
  return q ? { q } : {};
}
