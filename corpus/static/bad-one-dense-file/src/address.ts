// The parts of an address in the order of a country.
export interface Address {
  street: string;
  town: string;
  code: string;
}

export function order(address: Address, country: string): string[] {
  if (country === "gb") {
    return [address.street, address.town, address.code];
  }
  return [address.street, `${address.code} ${address.town}`];
}

export function label(address: Address, country: string): string {
  return order(address, country).join("\n");
}
