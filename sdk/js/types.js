// Made from the service's contract; do not edit it by hand.
export {};
