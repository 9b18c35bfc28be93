/** Languages as one bar, with the numbers below it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/statistics.ts";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import styles from "./statistics.module.css";
import { useLanguageStatistics } from "./use-statistics.ts";

type Language = Schemas["LanguageShare"];
const unknownColour = "var(--line-strong)";

export function LanguagesSection() {
  const languages = useLanguageStatistics();
  return (
    <Section title={text.languages} lead={text.languagesLead}>
      <QueryView query={languages}>
        {({ languages: shares }) =>
          shares.length === 0 ? (
            <p>{text.noLanguages}</p>
          ) : (
            <>
              <div className={styles.languageBar} aria-hidden>
                {shares.map(({ language, bytes, color }) => (
                  <span
                    key={language}
                    title={language}
                    style={{ flexGrow: bytes, background: color ?? unknownColour }}
                  />
                ))}
              </div>
              <LanguageTable languages={shares} />
            </>
          )
        }
      </QueryView>
    </Section>
  );
}

function LanguageTable({ languages }: { languages: readonly Language[] }) {
  return (
    <Table
      caption={text.languages}
      rows={languages}
      keyOf={({ language }) => language}
      columns={[
        { title: text.language, wide: true, cell: (row) => <Name language={row} /> },
        { title: text.percent, align: "end", cell: ({ percent }) => text.percentOf(percent) },
        {
          title: text.size,
          align: "end",
          cell: ({ bytes }) => <span className={styles.size}>{formatBytes(bytes)}</span>,
        },
        { title: text.files, align: "end", cell: ({ files }) => formatCount(files) },
      ]}
    />
  );
}

function Name({ language: { language, color } }: { language: Language }) {
  return (
    <span className={styles.language}>
      <span className={styles.dot} style={{ background: color ?? unknownColour }} aria-hidden />
      {language}
    </span>
  );
}
