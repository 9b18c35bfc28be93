/** The languages of a repository by their bytes: a bar, and the largest by name. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repositories.ts";
import styles from "./languages-bar.module.css";

const named = 6;
const unknownColor = "var(--line-strong)";

export function LanguagesBar({ languages }: { languages: readonly Schemas["LanguageShare"][] }) {
  if (languages.length === 0) return null;
  return (
    <div>
      <div className={styles.bar} aria-hidden>
        {languages.map(({ language, color, percent }) => (
          <div key={language} style={{ width: `${percent}%`, background: color ?? unknownColor }} />
        ))}
      </div>
      <ul className={styles.names} aria-label={text.languages}>
        {languages.slice(0, named).map(({ language, color, percent }) => (
          <li key={language}>
            <span className={styles.dot} style={{ background: color ?? unknownColor }} aria-hidden />
            {language} <span className={styles.share}>{percent}%</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
