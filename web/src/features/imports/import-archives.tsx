/** Exports that oneself uploaded; nothing where there are none. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { text } from "../../text/imports.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Section } from "../../ui/page.tsx";
import { formatBytes } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

export function ImportArchives() {
  const { data } = useQuery({
    queryKey: ["import-archives"],
    queryFn: async ({ signal }) => (await api.GET("/imports/archives", { signal })).data ?? [],
  });
  if (!data || data.length === 0) return null;
  return (
    <Section title={text.archives}>
      <Table
        caption={text.archives}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: text.archive, wide: true, cell: ({ name }) => name },
          { title: text.size, cell: ({ size_bytes: bytes }) => formatBytes(bytes) },
          { title: text.removedAt, cell: ({ expires_at: at }) => <Time at={at} /> },
          { title: "", label: text.actions, cell: ({ id, name }) => <RemoveArchive id={id} name={name} /> },
        ]}
      />
    </Section>
  );
}

function RemoveArchive({ id, name }: { id: string; name: string }) {
  return (
    <ConfirmButton
      label={text.removeArchive}
      name={text.removeArchiveOf(name)}
      title={text.removeArchiveOf(name)}
      said={text.archiveRemoved}
      run={() => api.DELETE("/imports/archives/{id}", { params: { path: { id } } })}
    >
      <p>{text.removeArchiveHint}</p>
    </ConfirmButton>
  );
}
