/**
 * A dialog above the page, by the browser's own `<dialog>`: it keeps the focus, and what is below cannot be reached. Escape
 * or a click beside it counts as not doing it.
 */
import { X } from "lucide-react";
import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from "react";
import { text } from "../text/general.ts";
import styles from "./dialog.module.css";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Nothing but an answer closes it. */
  insistent?: boolean;
  wide?: boolean;
}

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

const firstToFill = `:is(input, select, textarea):not([readonly], [disabled], [type="hidden"]), input[readonly]`;

function OpenDialog({ onClose, title, lead, children, insistent = false, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const show = () => {
    element.current?.showModal();
    // Left to itself the browser goes to the first thing that can have the focus: the button that closes.
    element.current?.querySelector<HTMLElement>(firstToFill)?.focus();
  };
  useEffect(() => {
    const before = document.activeElement;
    show();
    return () => {
      // The browser gives the focus back when a dialog closes, not when an open one is taken out of the page.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const closeBeside = (event: MouseEvent) => {
    if (!insistent && event.target === element.current) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape does what a click beside the dialog does
    <dialog
      ref={element}
      className={`${styles.dialog} ${wide ? styles.wide : ""}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={lead ? `${id}-lead` : undefined}
      onMouseDown={closeBeside}
      onCancel={(event) => {
        event.preventDefault();
        if (!insistent) onClose();
      }}
      // Not asked: a browser closes a dialog by itself at a second Escape in a row.
      onClose={insistent ? show : onClose}
    >
      <div className={styles.inside}>
        <div className={styles.head}>
          <h2 id={`${id}-title`}>{title}</h2>
          {insistent ? null : (
            <button type="button" className={styles.close} aria-label={text.close} onClick={onClose}>
              <X size={18} aria-hidden />
            </button>
          )}
        </div>
        {lead ? (
          <div id={`${id}-lead`} className={styles.lead}>
            {lead}
          </div>
        ) : null}
        {children}
      </div>
    </dialog>
  );
}
