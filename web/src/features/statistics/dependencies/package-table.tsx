/** The same as the graph, as rows. */
import { useState } from "react";
import { text } from "../../../text/dependencies.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import { Table } from "../../../ui/table.tsx";
import styles from "./dependencies.module.css";
import { KindMark } from "./kind-mark.tsx";
import type { Package } from "./packages.ts";
import { FileLink } from "./side-panel.tsx";

const rowsAtOnce = 25;

export function PackageTable({
  packages,
  onGoTo,
}: {
  packages: readonly Package[];
  onGoTo: (one: Package) => void;
}) {
  const [shown, setShown] = useState(rowsAtOnce);
  return (
    <Section title={text.asTable} lead={text.tableLead(packages.length)}>
      <Table
        caption={text.asTable}
        rows={packages.slice(0, shown)}
        keyOf={({ id }) => id}
        columns={[
          {
            title: text.name,
            wide: true,
            cell: (one) => (
              <button type="button" className={styles.goTo} onClick={() => onGoTo(one)}>
                {one.name}
              </button>
            ),
          },
          { title: text.kind, cell: ({ kind }) => <KindMark kind={kind} /> },
          { title: text.askedFor, cell: ({ requirement }) => requirement ?? "–" },
          { title: text.chosen, cell: ({ versions }) => versions.join(", ") || "–" },
          { title: text.exceptionsIn, cell: ({ manifest }) => <FileLink path={manifest} /> },
        ]}
      />
      {packages.length > shown ? (
        <div>
          <Button onClick={() => setShown(shown + rowsAtOnce)}>{text.moreRows}</Button>
        </div>
      ) : null}
    </Section>
  );
}
