Feature: A shop on a test stack, in the steps that are ready

  Scenario: An event, and its lost answer
    Given the answer of "Save order" is lost
    When the event OrderPlaced of shop is put on "Shop/Orders/Bus":
      """
      { "orderId": "order-1" }
      """
    Then one execution of "Shop/Orders/Machine" has run
    And the execution of "Orders/Machine" has succeeded
    And the execution of "Orders/Machine" has succeeded with:
      """
      { "receipt": "r-order-1" }
      """
    And "Save order" has been called twice
    And "lambda:invoke" has been called once
    And every fault has happened
    And nothing is under way

  Scenario: A step that fails, and the same delivered again
    Given "Charge" fails 2 times with CardDeclined
    When "Orders/Machine" is started with:
      """
      { "orderId": "order-1" }
      """
    Then the execution of "Orders/Machine" has failed with CardDeclined
    When the same is delivered again
    Then one execution of "Orders/Machine" has failed with CardDeclined
    When the same is delivered 2 times at once
    Then 2 executions of "Orders/Machine" have run
    And the executions of "Orders/Machine" have the same output
    And "Charge" has been called 4 times

  Scenario: An execution that is killed, and one that is not answered
    Given the execution is killed before the call of "Save order"
    And "Charge" fails with Rejected
    And "Charge" takes 5 seconds
    When "Orders/Machine" is started with:
      """
      { "orderId": "order-1" }
      """
    Then "Charge" has been called no times
    When the same is delivered again 3 hours later
    Then the execution of "Orders/Machine" has failed with Rejected
    Given "Charge" never answers
    When the same is delivered again
    Then one execution of "Orders/Machine" has run

  Scenario: A step that is throttled, and one that the test answers
    Given "Charge" is throttled
    When "Orders/Machine" is started with:
      """
      { "orderId": "order-1" }
      """
    Then the execution of "Orders/Machine" has failed with Lambda.TooManyRequestsException
    Given "Charge" is answered with:
      """
      { "Payload": 7 }
      """
    When the same is delivered again
    Then the execution of "Orders/Machine" has succeeded with:
      """
      7
      """

  Scenario: Messages, a schedule and time
    When a message is published to "Shop/News":
      """
      hello
      """
    Then "Shop/Mail" has one message
    When a message is sent to "Shop/Inbox":
      """
      {}
      """
    Then "Shop/Inbox" has no messages
    When "Orders/EachDay" fires
    Then one execution of "Orders/Report" has run
    When 2 days pass
    Then 2 executions of "Orders/Report" have run

  Scenario: Requests to a REST API
    When POST /orders is requested of "Shop/Api":
      """
      { "a": 1 }
      """
    Then the answer has status 201
    And the answer is:
      """
      { "got": { "a": 1 } }
      """
    When GET /orders is requested of "Shop/Api"
    Then the answer has status 201
