/** What narrows a board for who looks at it: a query, with choosers as above the list of issues that write into it. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { useSearchParams } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/boards.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { text as words } from "../../text/list-filters.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { valuesOf, withQualifier } from "../search/qualifiers.ts";
import { hasWord, withWord } from "../search/query-words.ts";
import { labelNames } from "../work-items/address-filters.ts";
import { LabelFilter, MilestoneFilter, PersonFilter } from "../work-items/list-filters.tsx";
import styles from "./board-filter.module.css";

/** `problem`: why the query cannot be understood. */
export function BoardFilter({ q, problem }: { q: string; problem: string | undefined }) {
  const [, setQuery] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const { full_name: repository } = useRepository();
  const choose = (next: string) => setQuery(next.trim() === "" ? {} : { q: next.trim() });
  const qualifier = (name: string) => ({
    value: valuesOf(q, name)[0],
    onChange: (value: string) => choose(withQualifier(q, name, value === "" ? [] : [value])),
  });
  return (
    <div role="search" className={styles.filter}>
      {/* The choosers stand outside: what a form in one of their panels sends would be sent here, too. */}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get("q");
          choose(typeof typed === "string" ? typed : "");
        }}
      >
        <TextField
          // The address may change by itself: the field follows.
          key={q}
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
      </form>
      <div className={styles.choosers}>
        <LabelFilter
          value={valuesOf(q, "label").join(",")}
          onChange={(value) => choose(withQualifier(q, "label", labelNames(value)))}
        />
        <MilestoneFilter {...qualifier("milestone")} />
        <PersonFilter label={words.author} {...qualifier("author")} />
        <PersonFilter label={words.assignee} nobody={words.nobodyAssigned} {...qualifier("assignee")} />
        {isSignedIn ? <Toggle word="assignee:me" label={text.mine} q={q} onChange={choose} /> : null}
        <Toggle word="is:overdue" label={text.overdue} q={q} onChange={choose} />
        <SavedFilters kind="issue" repository={repository} query={q} onChoose={choose} />
        {q === "" ? null : (
          <Button kind="quiet" onClick={() => choose("")}>
            {text.clearFilter}
          </Button>
        )}
      </div>
    </div>
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
