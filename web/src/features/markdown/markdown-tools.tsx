/** The buttons above a field for Markdown. */
import { Bold, Code, Italic, Link, List, ListTodo, Quote, type LucideIcon } from "lucide-react";
import { text } from "../../text/markdown.ts";
import { IconButton } from "../../ui/button.tsx";
import { tools, type Tool } from "./edit-text.ts";
import styles from "./markdown-field.module.css";

const icons: Record<Tool, LucideIcon> = {
  bold: Bold,
  italic: Italic,
  quote: Quote,
  code: Code,
  link: Link,
  list: List,
  tasks: ListTodo,
};

export function MarkdownTools({ onUse }: { onUse: (tool: Tool) => void }) {
  return (
    <div role="group" aria-label={text.tools} className={styles.tools}>
      {tools.map((tool) => {
        const Icon = icons[tool];
        return (
          <IconButton key={tool} label={text.tool[tool]} onClick={() => onUse(tool)}>
            <Icon size={16} aria-hidden />
          </IconButton>
        );
      })}
    </div>
  );
}
