import { isExactJsonObject, parseExactJson, type ExactJsonObject } from './exact-json.ts';
import { refuse, refuseIfAny, type Problems } from './problems.ts';
import { SETTINGS, toFieldName, type PricingSettings, type Setting, type SettingName } from './settings.ts';

const NAMES = Object.keys(SETTINGS) as SettingName[];

/**
 * Reads settings from JSON with every field present, decimals kept exactly. Whether they may stand together is asked
 * where they are set, not here: what is on file must be read for ever.
 * Throws INVALID_JSON, or VALIDATION_FAILED with every problem.
 */
export function parseSettings(text: string): PricingSettings {
  const json = parseExactJson(text);
  if (!isExactJsonObject(json)) {
    refuse([{ code: 'INVALID_TYPE', message: 'Settings must be one JSON object that names every setting.' }]);
  }
  const problems: Problems = [];
  const values = NAMES.map((name) => [name, readSetting(name, { json, problems })]);
  reportUnknownFields(json, problems);
  refuseIfAny(problems);
  return Object.fromEntries(values) as PricingSettings;
}

/** Writes settings as the JSON that `parseSettings` reads. */
export function formatSettings(settings: PricingSettings): string {
  return writeJson((name) => writeSetting(settings, name));
}

export const DEFAULT_SETTINGS = parseSettings(writeJson((name) => SETTINGS[name].initial));

function readSetting(name: SettingName, { json, problems }: { json: ExactJsonObject; problems: Problems }): unknown {
  const param = toFieldName(name);
  const { expected, read } = SETTINGS[name];
  const given = Object.hasOwn(json, param) ? json[param] : undefined;
  const value = given === undefined ? undefined : read(given);
  if (value === undefined) {
    const code = given === undefined ? 'REQUIRED' : 'INVALID_VALUE';
    const message = given === undefined ? `${param} is missing. It` : param;
    problems.push({ code, param, message: `${message} must be ${expected}.` });
  }
  return value;
}

function writeSetting(settings: PricingSettings, name: SettingName): string {
  const { write } = SETTINGS[name] as Setting<PricingSettings[SettingName]>;
  return write(settings[name]);
}

function writeJson(write: (name: SettingName) => string): string {
  return `{\n${NAMES.map((name) => `  "${toFieldName(name)}": ${write(name)}`).join(',\n')}\n}\n`;
}

function reportUnknownFields(json: ExactJsonObject, problems: Problems): void {
  const known = new Set(NAMES.map(toFieldName));
  for (const param of Object.keys(json).filter((field) => !known.has(field))) {
    problems.push({ code: 'UNKNOWN_FIELD', param, message: `${param} is no pricing setting. Remove it.` });
  }
}
