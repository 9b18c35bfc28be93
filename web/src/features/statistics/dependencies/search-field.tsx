/** Finds packages by a part of their name; Enter goes from one to the next. */
import type { FormEvent } from "react";
import { text } from "../../../text/dependencies.ts";
import { TextField } from "../../../ui/field.tsx";
import styles from "./dependencies.module.css";

export function SearchField(props: { words: string; onSearch: (words: string) => void; onNext: () => void }) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onNext();
  };
  return (
    <search className={styles.search}>
      <form onSubmit={onSubmit}>
        <TextField
          label={text.find}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={props.words}
          onChange={(event) => props.onSearch(event.target.value)}
        />
      </form>
    </search>
  );
}
