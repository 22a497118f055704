Feature: An order is paid once

  The shop puts an event on a bus for every order. A bus delivers at least once: the same event may come again, later
  or at the same time. The customer pays once all the same, and whoever asks again gets the first receipt.

  Background:
    Given a card with 100.00 EUR on it

  Scenario: A new event
    When order-7 over 12.50 EUR is placed
    Then order-7 has one receipt
    And the card has 87.50 EUR left

  Scenario: A completed event again
    Given order-7 over 12.50 EUR has been paid
    When the same is delivered again
    Then no execution of "Payments/StateMachine" has run
    And the card has 87.50 EUR left

  Scenario: A completed event again, a month later
    Given order-7 over 12.50 EUR has been paid
    When the same is delivered again 30 days later
    Then no execution of "Payments/StateMachine" has run
    And the card has 87.50 EUR left

  Scenario: A completed event again, past the bus
    Given order-7 over 12.50 EUR has been paid
    When an operator starts the workflow with its event
    Then the answer is the first receipt
    And the card has 87.50 EUR left

  Scenario: A failed event, then retried
    Given the card has only 10.00 EUR on it
    When order-7 over 12.50 EUR is placed
    Then it is rejected with CardDeclined
    And order-7 has no receipt
    When the card is topped up with 30.00 EUR
    And the same is delivered again
    Then order-7 has one receipt
    And the card has 27.50 EUR left

  Scenario: Two deliveries at the same time
    Given "Business step" takes 5 seconds
    When the event of order-7 over 12.50 EUR is delivered twice at the same time
    Then one execution of "Payments/StateMachine" has run
    And order-7 has one receipt
    And the card has 87.50 EUR left

  Scenario: Two executions at the same time
    Given "Business step" takes 5 seconds
    When the workflow is started twice at the same time with order-7 over 12.50 EUR
    Then one of them is rejected with Idempotency.InProgress
    And order-7 has one receipt
    And the card has 87.50 EUR left

  Scenario: Another amount under the same key
    Given order-7 over 12.50 EUR has been paid
    When order-7 over 99.00 EUR is placed
    Then it is rejected with Idempotency.PayloadMismatch
    And the card has 87.50 EUR left

  Scenario: Another order
    Given order-7 over 12.50 EUR has been paid
    When order-8 over 12.50 EUR is placed
    Then order-8 has one receipt
    And the card has 75.00 EUR left

  Scenario Outline: An event that is no order: <flaw>
    When an order <flaw> is placed
    Then it is rejected with <error>
    And the card has 100.00 EUR left

    Examples:
      | flaw             | error                    |
      | without an id    | Idempotency.InvalidEvent |
      | without a card   | InvalidOrder             |
      | over nothing     | InvalidOrder             |
      | over half a cent | InvalidOrder             |

  Scenario: Stopped between the charge and its record
    Given the execution is killed before the call of "Record the result"
    When order-7 over 12.50 EUR is placed
    Then an execution of "Payments/StateMachine" has been redriven
    And every fault has happened
    And order-7 has one receipt
    And the card has 87.50 EUR left
    When the same is delivered again 10 minutes later
    Then no execution of "Payments/StateMachine" has run
