/** What narrows a board for who looks at it: a query, and what is wanted most often at one press. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { useSearchParams } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/boards.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { hasWord, withWord } from "../search/query-words.ts";
import styles from "./board-filter.module.css";

/** `problem`: why the query cannot be understood. */
export function BoardFilter({ q, problem }: { q: string; problem: string | undefined }) {
  const [, setQuery] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const choose = (next: string) => setQuery(next.trim() === "" ? {} : { q: next.trim() });
  return (
    <form
      role="search"
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("q");
        choose(typeof typed === "string" ? typed : "");
      }}
    >
      <TextField
        name="q"
        type="search"
        label={text.search}
        hint={text.searchHint}
        maxLength={maxQueryChars}
        defaultValue={q}
        autoCapitalize="off"
        spellCheck={false}
        problem={problem}
      />
      <div className={styles.quick}>
        {isSignedIn ? <Toggle word="assignee:me" label={text.mine} q={q} onChange={choose} /> : null}
        <Toggle word="is:overdue" label={text.overdue} q={q} onChange={choose} />
        {q === "" ? null : (
          <Button kind="quiet" onClick={() => choose("")}>
            {text.clearFilter}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ToggleProps {
  word: string;
  label: string;
  q: string;
  onChange: (q: string) => void;
}

function Toggle({ word, label, q, onChange }: ToggleProps) {
  const isOn = hasWord(q, word);
  const next = withWord(q, word, !isOn);
  return (
    <Button aria-pressed={isOn} disabled={next.length > maxQueryChars} onClick={() => onChange(next)}>
      {isOn ? <span className={styles.on}>{label}</span> : label}
    </Button>
  );
}
