import { Drawer } from "antd";
import { type ReactNode, useContext, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useOutletContext, useParams, useSearchParams } from "react-router";
import * as z from "zod/mini";
import type { ModelRecord } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toId, useStepBack } from "../../navigation/addresses.ts";
import { useReturnedFocus } from "../../ui/accessibility.ts";
import { ErrorState } from "../../ui/errors.tsx";
import { EmptyState, FormSkeleton } from "../../ui/states.tsx";
import type { AfterSave } from "../form/editor-machine.ts";
import { RecordEditorView } from "../form/record-editor.tsx";
import { canSave, toEditableModel, toReadModel, useRecord } from "../form/use-record.ts";
import type { Copy } from "../form/use-record-editor.ts";
import { useLiveRecord } from "../live/use-live-record.ts";
import { isOpenedFromList, OPENED_FROM_LIST, RecordPartsContext } from "../state/list-context.ts";
import { FROM, listLeftOut, toCopy, toListSearch } from "../state/record-address.ts";
import { RecordActions, RecordSteps, useNeighbours } from "./record-head.tsx";
import { GoneRecord, RecordLinks } from "./record-links.tsx";

/** Back to the list that lies beneath: by history when the form was opened from there, else in place of this address. */
function useClose(source: RecordSource): () => void {
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const { state, search } = useLocation();
  return () => {
    if (isOpenedFromList(state)) stepBack();
    else void navigate({ pathname: source.paths.list, search: toListSearch(search) }, { replace: true });
  };
}

/** What was typed elsewhere, in a history state. */
const inputs = z.record(z.string(), z.unknown());

/** Where antd's drawer listens for Escape and keeps the focus. */
const DRAWER_ROOT = ".ant-drawer";

/** A form that gives way to the next one takes the focus with it; the drawer gets it back, so that Escape still closes it. */
function useKeptFocus() {
  const editor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) editor.current?.closest<HTMLElement>(DRAWER_ROOT)?.focus();
  }, []);
  return editor;
}

interface EditorProps {
  source: RecordSource;
  record: ModelRecord | null;
  copy?: Copy;
  etag?: string | undefined;
  error?: unknown;
  onClose: () => void;
  children?: ReactNode;
}

function hasMark<Mark extends string>(state: unknown, mark: Mark): state is Record<Mark, unknown> {
  return typeof state === "object" && state !== null && mark in state;
}

function Editor({ source, ...props }: EditorProps) {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const container = useKeptFocus();
  /** A new record's address, or an empty form again: `serial` makes it another one. */
  function onCreated({ id }: ModelRecord, after: AfterSave): void {
    if (after === "close") {
      props.onClose();
      return;
    }
    const from = isOpenedFromList(state) ? OPENED_FROM_LIST : {};
    const isNext = after === "another";
    const next = isNext ? { ...from, serial: id } : { ...from, isJustCreated: true };
    const pathname = isNext ? source.paths.create : source.paths.edit(id);
    void navigate({ pathname, search: toListSearch(search) }, { replace: true, state: next });
  }
  return (
    <div ref={container} className="record-editor">
      <RecordEditorView
        source={source}
        isJustCreated={hasMark(state, "isJustCreated")}
        onCreated={onCreated}
        {...props}
      />
    </div>
  );
}

/** Tells the forms of two new records apart that are made one after the other. */
function useSerial(): unknown {
  const { state } = useLocation();
  return hasMark(state, "serial") ? state.serial : 0;
}

/** The form of a new record with an original's values, and what to know of it. */
function CopyEditor({ source, original, onClose }: CopyEditorProps) {
  const { t, i18n } = useTranslation();
  const { state } = useLocation();
  const list = new Intl.ListFormat(toLanguage(i18n.language), { type: "conjunction" });
  const leftOut = listLeftOut(source).map(({ verbose_name }) => verbose_name);
  const notice = [
    t("form.copyNotice", { name: original.repr }),
    ...(leftOut.length > 0 ? [t("form.copyLeftOut", { fields: list.format(leftOut) })] : []),
  ].join(" ");
  const typed = hasMark(state, "typed") ? inputs.safeParse(state.typed).data : undefined;
  const copy = { record: toCopy(source, original), typed: typed ?? {} };
  return <Editor source={{ ...source, notice }} record={null} copy={copy} onClose={onClose} />;
}

interface CopyEditorProps {
  source: RecordSource;
  original: ModelRecord;
  onClose: () => void;
}

interface RecordBodyProps {
  source: RecordSource;
  /** Undefined makes a new record. */
  id: number | undefined;
  /** Of a new record: the one that it is made of. */
  from: number | undefined;
  /** The record as text, whatever the person may do. */
  isView: boolean;
  onClose: () => void;
  loaded: ReturnType<typeof useRecord>;
}

function RecordBody({ source, id, from, isView, onClose, loaded: { query, record, etag } }: RecordBodyProps) {
  const { t } = useTranslation();
  const serial = useSerial();
  if (id === undefined && !canSave(source, true))
    return <EmptyState title={t("form.notAllowed")} text={t("form.notAllowedHelp")} />;
  if (id === undefined && from === undefined)
    return (
      <Editor key={`new ${serial}`} source={toEditableModel(source, null)} record={null} onClose={onClose} />
    );
  if (id === undefined && record)
    return (
      <CopyEditor
        key={`copy ${from}`}
        source={toEditableModel(source, null)}
        original={record}
        onClose={onClose}
      />
    );
  // A form of its own for each record.
  if (record) {
    const editable = toEditableModel(source, record);
    const shown = isView ? toReadModel(source, record) : editable;
    return (
      <Editor
        key={`${id} ${isView}`}
        source={shown}
        record={record}
        etag={etag}
        error={query.error}
        onClose={onClose}
      >
        <RecordLinks source={shown} record={record} canEdit={isView && canSave(editable, false)} />
      </Editor>
    );
  }
  const asked = id ?? from;
  if (asked !== undefined && isDataError(query.error) && query.error.statusCode === 404)
    return <GoneRecord source={source} id={asked} />;
  if (query.isError) {
    return (
      <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return <FormSkeleton />;
}

interface RecordHeadProps {
  source: RecordSource;
  record: ModelRecord;
  onClose: () => void;
}

/** What the screen says of the record first, and what can be done to it. */
function RecordHead({ source, record, onClose }: RecordHeadProps) {
  const { Head } = useContext(RecordPartsContext);
  return (
    <>
      {Head && <Head record={record} />}
      {source.rowActions && <RecordActions key={record.id} {...{ source, record, onClose }} />}
    </>
  );
}

/**
 * `/objects/new` and `/objects/:objectId`, over the list. One component for both, so that the drawer stays where it is while
 * its record loads and when a new record gets its address.
 */
export function RecordDrawer() {
  const { t } = useTranslation();
  const source = useOutletContext<RecordSource>();
  const { objectId } = useParams();
  const id = objectId === undefined ? undefined : toId(objectId);
  const { pathname } = useLocation();
  const isView = id !== undefined && pathname === source.paths.view?.(id);
  const [params] = useSearchParams();
  const original = params.get(FROM);
  const from = id === undefined && original !== null ? toId(original) : undefined;
  const loaded = useRecord(source, id ?? from);
  useLiveRecord(source, loaded.record?.id, loaded.query.refetch);
  const close = useClose(source);
  useReturnedFocus();
  const neighbours = useNeighbours(source, id);
  const title =
    id === undefined
      ? t("form.createTitle", { name: source.verbose_name })
      : (loaded.record?.repr ?? source.verbose_name);
  return (
    <Drawer
      open
      title={title}
      width="min(760px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
      extra={neighbours && <RecordSteps neighbours={neighbours} />}
    >
      {id !== undefined && loaded.record && (
        <RecordHead source={source} record={loaded.record} onClose={close} />
      )}
      <RecordBody source={source} id={id} from={from} isView={isView} onClose={close} loaded={loaded} />
    </Drawer>
  );
}
