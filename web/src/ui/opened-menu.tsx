/** Draws a menu (`menu.tsx`); it is open when it first appears. */
import { Menu as Base } from "@base-ui/react/menu";
import { Link } from "react-router";
import styles from "./menu.module.css";
import type { MenuItem, MenuProps } from "./menu.tsx";

export function OpenedMenu({ trigger, label, items }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} aria-label={label} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={6} align="end">
          <Base.Popup className={styles.popup}>
            {items.map((item, index) => (
              <Item key={item.kind === "line" ? index : item.label} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  if (item.kind === "line") return <Base.Separator className={styles.line} />;
  if (item.kind === "words") return <div className={styles.words}>{item.label}</div>;
  if (item.kind === "choice") return <Choice item={item} />;
  const look = { className: `${styles.item} ${item.kind === "action" && item.danger ? styles.danger : ""}` };
  return item.kind === "link" ? (
    <Base.Item {...look} render={<Link to={item.to} />}>
      {item.icon}
      {item.label}
    </Base.Item>
  ) : (
    <Base.Item {...look} onClick={item.onSelect}>
      {item.icon}
      {item.label}
    </Base.Item>
  );
}

function Choice({ item }: { item: MenuItem & { kind: "choice" } }) {
  return (
    <Base.RadioGroup value={item.value} onValueChange={(value: string) => item.onChange(value)}>
      <div className={styles.words}>{item.label}</div>
      {Object.entries(item.choices).map(([value, name]) => (
        <Base.RadioItem key={value} value={value} className={styles.item} closeOnClick>
          <span className={styles.mark}>{value === item.value ? "●" : ""}</span>
          {name}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
