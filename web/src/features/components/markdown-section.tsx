/** Of the components page: a text in Markdown, and the field to write one. */
import { useState } from "react";
import { text } from "../../text/components.ts";
import { Section } from "../../ui/page.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { MarkdownText } from "../markdown/markdown-text.tsx";

const place = { repository: { full_name: "ada/compiler" }, references: true };

export function MarkdownSection() {
  const [source, setSource] = useState(text.markdownSource);
  return (
    <Section title={text.markdown}>
      <MarkdownField
        label={text.markdownField}
        value={source}
        onChange={setSource}
        place={place}
        draftKey="components"
        onSubmit={() => showToast(text.sentence)}
      />
      <MarkdownText source={source} place={place} onToggle={setSource} />
    </Section>
  );
}
