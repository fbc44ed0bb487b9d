// Countries that put the code behind the town.
const behind = new Set(["gb", "us", "ca", "au"]);

export function codeBehind(country: string): boolean {
  return behind.has(country.toLowerCase());
}

export function known(country: string): boolean {
  return /^[a-z]{2}$/.test(country);
}

export const names: Record<string, string> = { gb: "United Kingdom", us: "United States", de: "Germany" };
