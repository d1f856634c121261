// Numbers and times, as people read them. SPDX-License-Identifier: MIT

export const number = (value) => (value ?? 0).toLocaleString("en", { maximumFractionDigits: 0 });
export const seconds = (value) => (value === null || value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : 0)} s`);
export const memory = (kb) => (kb ? `${number(kb / 1024)} MB` : "");

export function shortTime(when) {
    if (!when) return "";
    const date = new Date(when * 1000);
    return date.toLocaleString([], { dateStyle: "short", timeStyle: "medium" });
}
